/**
 * Fills a migrated ledger by set-based SQL with what a busy month leaves behind: 8 sources, 40 types, a daily rhythm, a tenth of all events in the last
 * 24 hours, 1 % dead letters of twelve kinds. A million rows take about a minute. The same call makes the same rows, but for the times: they end now. Below 10,000 some named events may find no row.
 */
import { errorTitle } from "../../src/core/fingerprint.ts";

export interface SeedOptions {
  readonly events: number;
  /** Where the newest event stands; null: the database's now. */
  readonly nowMs?: number;
  /** Rows of one statement: few where a statement's time is short. */
  readonly chunkRows?: number;
}

/** Runs one statement. */
export type RunSql = (sqlText: string) => Promise<unknown>;

export const SEED_SOURCES = ["stripe", "github", "generic", "standard", "shopify", "slack", "adyen", "sendgrid"] as const;

/** Five types each. */
const TYPES: Readonly<Record<(typeof SEED_SOURCES)[number], readonly string[]>> = {
  stripe: ["payment_intent.succeeded", "charge.refunded", "customer.subscription.updated", "invoice.paid", "payout.paid"],
  github: ["push", "pull_request", "issues", "workflow_run", "release"],
  generic: ["credit", "debit", "transfer", "user.created", "user.deleted"],
  standard: ["contact.created", "contact.updated", "deal.won", "deal.lost", "task.done"],
  shopify: ["orders/create", "orders/paid", "products/update", "refunds/create", "app/uninstalled"],
  slack: ["event_callback", "message.channels", "app_mention", "reaction_added", "team_join"],
  adyen: ["AUTHORISATION", "CAPTURE", "REFUND", "CHARGEBACK", "REPORT_AVAILABLE"],
  sendgrid: ["delivered", "open", "click", "bounce", "unsubscribe"],
};

interface Kind {
  readonly source: (typeof SEED_SOURCES)[number];
  readonly type: string;
  readonly class: "permanent" | "unknown" | "handler_timeout" | "killed";
  readonly reason: "permanent" | "attempts_used_up" | "handler_timeout" | "killed" | "unstorable";
  readonly sqlstate: string | null;
  /** `%s` is another value in each event. */
  readonly message: string;
  /** Of 100 dead letters. */
  readonly share: number;
}

export const SEED_KINDS: readonly Kind[] = [
  kind("stripe", "payment_intent.succeeded", "permanent", "permanent", "22003", "numeric field overflow\nstatement: insert into payments", 24),
  kind("stripe", "charge.refunded", "unknown", "attempts_used_up", "23503", 'insert violates foreign key constraint "refunds_charge_fkey"', 16),
  kind("shopify", "orders/paid", "unknown", "attempts_used_up", null, "order %s is not committed yet", 14),
  kind("generic", "credit", "permanent", "permanent", null, "the payload does not match the handler's schema: amount: expected a number", 12),
  kind("github", "workflow_run", "handler_timeout", "handler_timeout", null, "the handler took longer than 20000 ms", 9),
  kind("adyen", "CHARGEBACK", "unknown", "attempts_used_up", "23505", 'duplicate key value violates unique constraint "disputes_pkey"', 7),
  kind("standard", "deal.won", "permanent", "permanent", "22P02", 'invalid input syntax for type integer: "%s"', 5),
  kind("slack", "team_join", "unknown", "attempts_used_up", "42P01", 'relation "members" does not exist', 4),
  kind("sendgrid", "bounce", "permanent", "permanent", null, "no contact with address user%s@mail.example", 3),
  kind(
    "stripe",
    "invoice.paid",
    "killed",
    "killed",
    null,
    "began 4 times and never ended: its handler ends the isolate (out of memory, or of CPU time)",
    3,
  ),
  kind("shopify", "products/update", "unknown", "attempts_used_up", null, "Cannot read properties of undefined (reading 'price')", 2),
  kind("generic", "transfer", "permanent", "unstorable", "22P05", "unsupported Unicode escape sequence", 1),
];

/** Events that tests look for by their ids. */
export const SEED_NAMED = {
  completed: { source: "stripe", id: "evt_seed_completed" },
  /** Nothing else begins with `evt_needle`. */
  needle: { source: "github", id: "evt_needle_in_the_haystack" },
  failed: { source: "stripe", id: "evt_seed_numeric_overflow" },
  pending: { source: "generic", id: "evt_seed_pending" },
  skipped: { source: "slack", id: "evt_seed_skipped" },
  afterFailed: { source: "stripe", id: "evt_seed_after_failed" },
  withoutBytes: { source: "shopify", id: "evt_seed_without_bytes" },
} as const;

const CHUNK_ROWS = 50_000;

export async function seedLedger(run: RunSql, { events, nowMs, chunkRows = CHUNK_ROWS }: SeedOptions): Promise<void> {
  const now = nowMs === undefined ? "now()" : `to_timestamp(${nowMs} / 1000.0)`;
  for (let from = 1; from <= events; from += chunkRows) await run(eventsSql(from, Math.min(events, from + chunkRows - 1), events, now));
  await run(ATTEMPTS_SQL);
  for (const statement of namedSql(now)) await run(statement);
  for (const table of ["webhook_events", "webhook_attempts"]) await run(`vacuum analyze ${table}`);
}

function kind(
  source: Kind["source"],
  type: string,
  cls: Kind["class"],
  reason: Kind["reason"],
  sqlstate: string | null,
  message: string,
  share: number,
): Kind {
  return { source, type, class: cls, reason, sqlstate, message, share };
}

const quoted = (value: string | null): string => (value === null ? "null" : `'${value.replaceAll("'", "''")}'`);

/** A number from 0 to 1 for row i: the same in every run, another for each `salt`. */
const uniform = (salt: number): string => `(((hashint8extended(i, ${salt}) & 1073741823)::float8 + 0.5) / 1073741824)`;

/** `<= upTo` of 100 picks the kind. */
const KINDS_SQL = SEED_KINDS.map((one, index) => {
  const upTo = SEED_KINDS.slice(0, index + 1).reduce((sum, { share }) => sum + share, 0);
  const error = [one.class, one.sqlstate ?? "", errorTitle(one.message.replaceAll("%s", "4711"))].join("\n");
  const fingerprint = `left(encode(sha256(convert_to(concat_ws(E'\\n', ${quoted(one.source)}, ${quoted(one.type)}, ${quoted(error)}), 'UTF8')), 'hex'), 12)`;
  const values = [one.source, one.type, one.class, one.reason, one.sqlstate, one.message].map((value) => `${quoted(value)}::text`).join(", ");
  return `(${upTo - one.share}, ${upTo}, ${values}, ${fingerprint})`;
}).join(",\n");

/**
 * Row i of n, oldest first: nine tenths over 29 days, the last tenth in the last day. `warped`: most of a day's events come around 14:00 UTC. Latency is
 * log-normal around 400 ms, one in 200 takes minutes.
 */
function eventsSql(from: number, to: number, events: number, now: string): string {
  return `
    with kinds(low, high, source, type, class, reason, sqlstate, message, fingerprint) as (values ${KINDS_SQL}),
    drawn as (
      select i, ${uniform(1)} as u_status, 100 * ${uniform(2)} as u_kind, ${uniform(3)} as u_source, ${uniform(4)} as u_type, ${uniform(5)} as u_latency,
        ${uniform(6)} as u_angle, ${uniform(7)} as u_slow, ${uniform(8)} as u_after,
        case when i < 0.9 * ${events} then 30 - 29 * i::float8 / (0.9 * ${events})::float8 else 10 * (1 - (i - 0.5)::float8 / ${events}) end as age_days,
        extract(epoch from ${now} - date_trunc('day', ${now} at time zone 'UTC') at time zone 'UTC')::float8 / 86400 - 14::float8 / 24 as peak
      from generate_series(${from}::bigint, ${to}::bigint) as g(i)
    ),
    placed as (
      select d.*,
        ${now} - interval '1 day' * greatest(0.00001, floor(age_days)::float8
          + (((age_days - floor(age_days)) - 0.5::float8 * sin(2 * pi() * ((age_days - floor(age_days)) - peak)) / (2 * pi())) + 1)::numeric % 1) as received_at,
        interval '1 millisecond' * round((exp(5.99 + 0.8 * sqrt(-2 * ln(u_latency)) * cos(2 * pi() * u_angle)) + case when u_slow < 0.005 then 200000 * u_slow / 0.005 else 0 end)::numeric) as latency,
        case
          when i > 0.98 * ${events} and u_slow > 0.5 and u_status < 400.0 / (0.02 * ${events}) then 'pending'
          when u_status > 0.99 then 'failed'
          when u_status > 0.975 then 'skipped'
          else 'completed'
        end as status
      from drawn d
    ),
    shaped as (
      select p.*, k.class, k.reason, k.sqlstate, k.fingerprint, replace(k.message, '%s', p.i::text) as message,
        coalesce(k.source, (array[${SEED_SOURCES.map(quoted).join(", ")}])[least(8, 1 + floor(8 * power(p.u_source, 1.6)))::int]) as source, k.type as kind_type
      from placed p
      left join kinds k on p.status = 'failed' and p.u_kind > k.low and p.u_kind <= k.high
    )
    insert into webhook_events (source, event_id, type, status, reason, opening, attempts, total_attempts, duplicates, received_at, occurred_at, settled_at,
      sent_at, after, after_attempts, digest, content_type, headers, body, last_error, fingerprint, build)
    select s.source,
      case when s.source = 'github' then md5('id' || s.i)::uuid::text when s.source = 'shopify' then (820982911946154000 + s.i)::text
        else 'evt_' || left(md5('id' || s.i), 20) end,
      coalesce(s.kind_type, (case array_position(array[${SEED_SOURCES.map(quoted).join(", ")}], s.source) ${SEED_SOURCES.map(
        (source, index) => `when ${index + 1} then array[${TYPES[source].map(quoted).join(", ")}]`,
      ).join(" ")} end)[1 + floor(5 * s.u_type)::int]),
      s.status,
      case s.status when 'failed' then s.reason when 'skipped' then (array['no_handler', 'not one of our orders', 'other_mode'])[1 + floor(3 * s.u_type)::int] end,
      (extract(epoch from s.received_at) * 1000)::bigint,
      case when s.status = 'failed' then case when s.reason in ('permanent', 'unstorable', 'killed') then 1 else 8 end else 0 end,
      case when s.status = 'failed' then case when s.reason in ('permanent', 'unstorable', 'killed') then 1 else 8 end else 0 end,
      case when s.u_slow > 0.97 then 1 else 0 end,
      s.received_at,
      s.received_at - interval '1 second',
      case s.status when 'pending' then null
        when 'failed' then least(${now}, s.received_at + s.latency + case when s.reason in ('permanent', 'unstorable', 'killed') then interval '0' else interval '12 hours' end)
        else least(${now}, s.received_at + s.latency) end,
      s.received_at,
      case when s.status = 'completed' and s.u_after < 0.0001 then 'failed' when s.status = 'completed' and s.u_after < 0.05 then 'done' else 'none' end,
      case when s.status = 'completed' and s.u_after < 0.0001 then 5 when s.status = 'completed' and s.u_after < 0.05 then 1 else 0 end,
      encode(sha256(convert_to('body ' || s.i, 'UTF8')), 'hex'),
      'application/json',
      jsonb_build_object('user-agent', s.source || '/1.0', 'x-request-id', md5('request' || s.i)),
      convert_to('{"id":' || s.i || ',"amount":' || (1 + s.i % 10000) || ',"currency":"eur","customer":"cus_' || left(md5('customer' || s.i % 5000), 10) || '"}', 'UTF8'),
      s.message,
      s.fingerprint,
      'b0e1f2a3-seed'
    from shaped s
    order by s.received_at`;
}

/** One row for each counted failure of the dead letters. */
const ATTEMPTS_SQL = `
    with kinds(low, high, source, type, class, reason, sqlstate, message, fingerprint) as (values ${KINDS_SQL})
    insert into webhook_attempts (source, event_id, opening, class, phase, sqlstate, message, stack, at)
    select e.source, e.event_id, e.opening, k.class, 'handler', k.sqlstate, e.last_error,
      'Error: ' || e.last_error || E'\\n    at run (src/handlers/example.ts:12:11)\\n    at runOne (src/queue/run-handler.ts:84:12)',
      e.received_at + (e.settled_at - e.received_at) * (a::float8 / e.attempts)
    from webhook_events e
    join kinds k on k.fingerprint = e.fingerprint
    cross join lateral generate_series(1, e.attempts) as a
    where e.status = 'failed'
    order by e.received_at, a`;

/** Takes rows that are there and gives them their names: whatever they are, they are of that kind. */
function namedSql(now: string): readonly string[] {
  const named = (key: { readonly source: string; readonly id: string }, where: string, also = ""): string => `
    update webhook_events
    set source = ${quoted(key.source)}, event_id = ${quoted(key.id)}${also}
    where (source, event_id) = (select e.source, e.event_id from webhook_events e where ${where} order by e.received_at desc limit 1)`;
  const overflow = `e.status = 'failed' and e.last_error like 'numeric field overflow%'`;
  return [
    named(
      SEED_NAMED.completed,
      `e.source = 'stripe' and e.status = 'completed' and e.after = 'none' and e.received_at < ${now} - interval '2 hours'`,
    ),
    named(SEED_NAMED.needle, `e.source = 'github' and e.status = 'completed' and e.received_at < ${now} - interval '20 days'`),
    `with renamed as (${named(SEED_NAMED.failed, overflow)} returning 1)
    insert into webhook_attempts (source, event_id, opening, class, phase, sqlstate, message, stack, at)
    select ${quoted(SEED_NAMED.failed.source)}, ${quoted(SEED_NAMED.failed.id)}, e.opening, 'permanent', 'handler', '22003', e.last_error,
      'PostgresError: numeric field overflow', e.settled_at
    from webhook_events e
    where ${overflow}
    order by e.received_at desc
    limit 1`,
    named(SEED_NAMED.pending, `e.status = 'pending'`, ", type = 'credit'"),
    named(SEED_NAMED.skipped, `e.source = 'slack' and e.status = 'skipped'`),
    named(
      SEED_NAMED.afterFailed,
      `e.source = 'stripe' and e.status = 'completed'`,
      ", after = 'failed', after_attempts = 5, last_error = 'mail server is gone'",
    ),
    named(
      SEED_NAMED.withoutBytes,
      `e.source = 'shopify' and e.status = 'completed' and e.received_at < ${now} - interval '20 days'`,
      ", body = null",
    ),
  ];
}
