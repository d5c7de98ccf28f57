/** Holdfast's own tests run on sources and tables of their own: the user's in src may go. */
import { bigint, pgTable, text } from "drizzle-orm/pg-core";
import type Stripe from "stripe";
import { defineSources, onFor, type Route } from "#holdfast";
import { generic } from "../../src/providers/generic.ts";
import { github } from "../../src/providers/github.ts";
import { custom } from "../../src/providers/provider.ts";
import { digest, header, json } from "../../src/providers/readers.ts";
import { standard } from "../../src/providers/standard.ts";
import { stripe } from "../../src/providers/stripe.ts";

const hmac = generic().scheme;

/** A delivery of it carries several events. */
const batches = custom({
  name: "batches",
  scheme: hmac,
  id: [header("x-request-id"), digest()],
  type: [],
  split: { items: ["events"], id: [json("id")], type: [json("type")], occurredAt: { from: json("at"), unit: "s" } },
});
const live = { at: json("livemode"), is: "true" } as const;

export const sources = defineSources({
  generic: generic(),
  stripe: stripe<Stripe.Event>(),
  github: github(),
  standard: standard(),
  batches,
  /** The same, of which only some events are meant for this deployment. */
  "batches-live": { ...batches, only: [live] },
  "generic-live": { ...generic(), only: [live] },
  /** Its ids are in a header that the signature does not cover; copies are not run. */
  "github-skip": github({ suspectedReplays: "skip" }),
});
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
