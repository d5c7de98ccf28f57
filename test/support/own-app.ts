/** Holdfast's own tests run on sources and tables of their own: the user's in src may go. */
import { bigint, pgTable, text } from "drizzle-orm/pg-core";
import type Stripe from "stripe";
import { defineSources, onFor, type Route } from "#holdfast";
import { generic } from "../../src/providers/generic.ts";
import { github } from "../../src/providers/github.ts";
import { standard } from "../../src/providers/standard.ts";
import { stripe } from "../../src/providers/stripe.ts";

export const sources = defineSources({ generic: generic(), stripe: stripe<Stripe.Event>(), github: github(), standard: standard() });
export const on = onFor(sources);
/** Where a test brings none of its own. */
export const handlers: readonly Route[] = [on("generic", "*", async () => undefined)];

/** What the tests' handlers change: one row for each effect, and a sum that shows every effect that was done twice. */
export const entries = pgTable("test_entries", {
  reference: text("reference").primaryKey(),
  userId: text("user_id").notNull(),
  amount: bigint("amount", { mode: "bigint" }).notNull(),
});
export const balances = pgTable("test_balances", {
  userId: text("user_id").primaryKey(),
  balance: bigint("balance", { mode: "bigint" }).notNull(),
});
/** One statement each: the driver takes no more. */
export const TABLES_SQL = [
  "create table if not exists test_entries (reference text primary key, user_id text not null, amount bigint not null)",
  "create table if not exists test_balances (user_id text primary key, balance bigint not null)",
];
