/** Holdfast's tables. Every column has a reader (docs/storage.md); indexes serve named statements and nothing else. */
import { sql } from "drizzle-orm";
import { bigint, boolean, check, customType, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

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
    /** Names the kind of the last failure (core/fingerprint.ts): 12 hex digits over source, type, class and the error without its values; null: it has not failed, or completed since. */
    fingerprint: text("fingerprint"),
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
    /** statements/list-events.ts: newest first, of all, of a source, of a type. Those of one moment are sorted when they are read: ids would double each of these. */
    index("webhook_events_received").on(table.receivedAt, table.source),
    index("webhook_events_source").on(table.source, table.receivedAt),
    index("webhook_events_type").on(table.type, table.receivedAt, table.source),
    /** statements/list-events.ts: what is not simply completed is rare, and looked for. */
    index("webhook_events_unusual")
      .on(table.status, table.receivedAt, table.source)
      .where(sql`${table.status} in ('pending', 'skipped', 'failed')`),
    /** statements/list-events.ts: ids that begin with some text, in the bytes' order. */
    index("webhook_events_id").on(table.eventId.op("text_pattern_ops")),
    /** statements/list-events.ts of a fingerprint. statements/list-failures.ts is answered by it alone, but for an example of each. */
    index("webhook_events_fingerprint")
      .on(table.fingerprint, table.receivedAt, table.source, table.type, table.status, table.reason, table.settledAt)
      .where(sql`${table.fingerprint} is not null`),
    /** statements/read-stats.ts and fill-hours.ts: what was settled in a time. */
    index("webhook_events_settled").on(table.settledAt),
    /** Group replays of what was given up after the commit, and its count. */
    index("webhook_events_after_failed")
      .on(table.receivedAt, table.source)
      .where(sql`${table.after} = 'failed'`),
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

/** One row for each change that an operator ordered: who, when, what, why. Nothing deletes them. */
export const webhookAudit = pgTable(
  "webhook_audit",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    at: moment("at").notNull().defaultNow(),
    /** Who signed in: the name given at sign-in, an Access identity's address, or `admin token`. */
    actor: text("actor").notNull(),
    action: text("action").notNull(),
    /** Of a change to one event; null: of a group, or of none. */
    source: text("source"),
    eventId: text("event_id"),
    /** The reason and the order's figures. Never a payload. */
    details: jsonb("details").$type<Readonly<Record<string, unknown>>>().notNull(),
  },
  (table) => [
    /** statements/read-audit.ts: one event's orders. The whole list is read by its id. */
    index("webhook_audit_event").on(table.source, table.eventId, table.id),
    /** statements/read-replays.ts: what a group replay opened. */
    index("webhook_audit_replay")
      .on(sql`(${table.details} ->> 'replay')`)
      .where(sql`${table.action} = 'replay' and ${table.details} ->> 'replay' is not null`),
  ],
);

/** One row for each replay of a group: what was asked for, how far it is. `ReplayRun` works through it. */
export const webhookReplays = pgTable(
  "webhook_replays",
  {
    id: text("id").primaryKey(),
    startedAt: moment("started_at").notNull().defaultNow(),
    actor: text("actor").notNull(),
    reason: text("reason"),
    /** An EventFilter (core/operators.ts). */
    filter: jsonb("filter").$type<Readonly<Record<string, unknown>>>().notNull(),
    /** Events whose handler said PermanentError are replayed too. */
    withPermanent: boolean("with_permanent").notNull(),
    ratePerSecond: integer("rate_per_second").notNull(),
    /** At most so many are replayed. */
    rowLimit: integer("row_limit").notNull(),
    /** What the filter matched when it began, and how much of it was to be replayed. */
    matched: integer("matched").notNull(),
    willReplay: integer("will_replay").notNull(),
    replayed: integer("replayed").notNull().default(0),
    status: text("status", { enum: ["running", "completed", "cancelled"] }).notNull(),
    /** Rows opened by it, or later, are not replayed by it again. */
    opening: bigint("opening", { mode: "number" }).notNull(),
    finishedAt: moment("finished_at"),
    lastError: text("last_error"),
  },
  (table) => [
    check("webhook_replays_status", sql`${table.status} in ('running', 'completed', 'cancelled')`),
    /** statements/list-replays.ts: newest first. */
    index("webhook_replays_started").on(table.startedAt),
  ],
);

/** What each hour brought, for each source and for all (source `*`): filled by the cron, kept for good. */
export const webhookHours = pgTable(
  "webhook_hours",
  {
    hour: moment("hour").notNull(),
    source: text("source").notNull(),
    /** First deliveries, by arrival. */
    received: integer("received").notNull(),
    /** By when they settled. */
    completed: integer("completed").notNull(),
    skipped: integer("skipped").notNull(),
    failed: integer("failed").notNull(),
    /** From arrival to commit of those completed in the hour; null: none was. */
    p50Ms: integer("p50_ms"),
    p95Ms: integer("p95_ms"),
    p99Ms: integer("p99_ms"),
  },
  (table) => [primaryKey({ name: "webhook_hours_pkey", columns: [table.hour, table.source] })],
);

/** What operators were told and must not be told twice; an alert that is over has an end. */
export const webhookAlerts = pgTable(
  "webhook_alerts",
  {
    kind: text("kind").notNull(),
    /** Which of its kind: a fingerprint, a source, or `-`. */
    key: text("key").notNull(),
    openedAt: moment("opened_at").notNull(),
    /** When the alert's receiver took it; null: not yet. */
    toldAt: moment("told_at"),
    closedAt: moment("closed_at"),
    closeToldAt: moment("close_told_at"),
    details: jsonb("details").$type<Readonly<Record<string, unknown>>>().notNull(),
  },
  (table) => [primaryKey({ name: "webhook_alerts_pkey", columns: [table.kind, table.key] })],
);
