/** THE USER'S. Tables of the business; `npm run generate` turns a change here into SQL under migrations/app. */
import { bigint, index, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** The example: one row for each fact that credits a balance. `reference` is the fact's own key, so that two event ids for one fact credit once. */
export const balanceEntries = pgTable(
  "balance_entries",
  {
    reference: text("reference").primaryKey(),
    userId: text("user_id").notNull(),
    /** Minor units (cents). */
    amount: bigint("amount", { mode: "bigint" }).notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index("balance_entries_user").on(table.userId)],
);

export const userBalances = pgTable("user_balances", {
  userId: text("user_id").primaryKey(),
  balance: bigint("balance", { mode: "bigint" }).notNull(),
});
