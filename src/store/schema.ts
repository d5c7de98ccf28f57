/** Holdfast's tables. Every column has a reader (docs/storage.md); indexes serve named statements and nothing else. */
import { sql } from "drizzle-orm";
import { bigint, check, customType, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/** Exact bytes. */
const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "bytea" });
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

/** The ledger: one row for each event, the final word on what happened to it. */
export const webhookEvents = pgTable(
  "webhook_events",
  {
    source: text("source").notNull(),
    eventId: text("event_id").notNull(),
    type: text("type").notNull(),
    status: text("status", { enum: ["pending", "completed", "skipped", "failed"] }).notNull(),
    reason: text("reason"),
    /** Stamp of the opening that the row is in (epoch ms, only grows). */
    opening: bigint("opening", { mode: "number" }).notNull(),
    /** Counted failures of this opening, and of all. */
    attempts: integer("attempts").notNull().default(0),
    totalAttempts: integer("total_attempts").notNull().default(0),
    /** Runs begun and not ended: 1 with its batch, one more for each run alone. */
    starts: integer("starts").notNull().default(0),
    startedAt: moment("started_at"),
    replays: integer("replays").notNull().default(0),
    duplicates: integer("duplicates").notNull().default(0),
    mismatches: integer("mismatches").notNull().default(0),
    receivedAt: moment("received_at").notNull(),
    occurredAt: moment("occurred_at"),
    settledAt: moment("settled_at"),
    /** When the message that is to run the row next was, or will be, handed over. */
    sentAt: moment("sent_at").notNull(),
    after: text("after", { enum: ["none", "owed", "done", "failed"] })
      .notNull()
      .default("none"),
    afterResult: jsonb("after_result"),
    afterAttempts: integer("after_attempts").notNull().default(0),
    digest: text("digest").notNull(),
    /** Another event of the source with the same bytes, within days: this one may be somebody's copy of it under a new id. */
    suspectedReplayOf: text("suspected_replay_of"),
    contentType: text("content_type").notNull(),
    headers: jsonb("headers").$type<Record<string, string>>().notNull(),
    body: bytea("body"),
    lastError: text("last_error"),
    /** The deployed version that settled or last failed it. */
    build: text("build"),
  },
  (table) => [
    primaryKey({ name: "webhook_events_pkey", columns: [table.source, table.eventId] }),
    check("webhook_events_status", sql`${table.status} in ('pending', 'completed', 'skipped', 'failed')`),
    check("webhook_events_after", sql`${table.after} in ('none', 'owed', 'done', 'failed')`),
    /** statements/sweep.ts: what may need a message, oldest first. */
    index("webhook_events_open")
      .on(table.sentAt)
      .where(sql`${table.status} = 'pending' or ${table.after} = 'owed'`),
    /** statements/retention.ts: settled events that still hold bytes. */
    index("webhook_events_bytes")
      .on(table.settledAt)
      .where(sql`${table.status} in ('completed', 'skipped') and ${table.body} is not null`),
    /** statements/health.ts and the list of dead letters. */
    index("webhook_events_failed")
      .on(table.settledAt)
      .where(sql`${table.status} = 'failed'`),
    /** statements/suspected-replays.ts: the same bytes under another id. */
    index("webhook_events_digest").on(table.source, table.digest, table.receivedAt),
  ],
);

/** One row for each counted failure, and for each failure of an `after`. */
export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    source: text("source").notNull(),
    eventId: text("event_id").notNull(),
    opening: bigint("opening", { mode: "number" }).notNull(),
    class: text("class").notNull(),
    phase: text("phase").notNull(),
    sqlstate: text("sqlstate"),
    constraint: text("constraint_name"),
    message: text("message").notNull(),
    stack: text("stack"),
    at: moment("at").notNull().defaultNow(),
  },
  /** admin: one event's story. */
  (table) => [index("webhook_attempts_event").on(table.source, table.eventId, table.at)],
);

/** Secrets that providers have sent to sources that have none yet (Notion, Asana), for an operator to read: a few, for a day. */
export const webhookHandshakes = pgTable(
  "webhook_handshakes",
  {
    source: text("source").notNull(),
    secret: text("secret").notNull(),
    receivedAt: moment("received_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "webhook_handshakes_pkey", columns: [table.source, table.secret] }),
    /** Anybody can post one: what is no secret in size is not kept. */
    check("webhook_handshakes_secret", sql`octet_length(${table.secret}) between 1 and 2048`),
  ],
);
