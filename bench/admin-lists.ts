/**
 * How long operators wait for each list and figure, on a real Postgres with a million events: `npm run bench -- admin-lists`, some minutes. Each round goes
 * through all questions, so that what else the machine does meets them all. Then what the indexes that serve them cost whoever records and settles events.
 * `--json` prints figures and plans, `--rows <n>` another size than a million.
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { REPLAY_ROWS_LIMIT } from "../src/core/limits.ts";
import { HOUR_MS } from "../src/core/stats.ts";
import { fillHour } from "../src/store/statements/fill-hours.ts";
import { scansOf } from "../test/support/explain.ts";
import { testDatabases } from "../test/support/postgres.ts";
import { seedLedger } from "../test/support/seed-ledger.ts";
import { asking, floor, type Question, questions } from "../test/support/operator-questions.ts";
import { listsTable, writesTable } from "./parts/tables.ts";
import { median, writeCost } from "./parts/write-cost.ts";

const ROUNDS = 20;
/** What src/store/schema.ts has for operators alone. */
const OPERATORS_INDEXES = ["received", "source", "type", "unusual", "id", "fingerprint", "settled", "after_failed"].map(
  (name) => `webhook_events_${name}`,
);

const { values: flags } = parseArgs({ options: { json: { type: "boolean" }, rows: { type: "string", default: "1000000" } } });
const events = Number(flags.rows);
if (!Number.isSafeInteger(events) || events < 10_000) throw new Error("--rows must be a whole number, at least 10000");
const hundredths = (value: number): number => Math.round(value * 100) / 100;
const say = (line: string): void => console.error(line);

const databases = await testDatabases();
const url = await databases.createDatabase("bench_operators");
const client = postgres(url, { max: 1, fetch_types: false, onnotice() {} });
const db = drizzle(client);
say(`seeding ${events.toLocaleString("en")} events`);
await seedLedger((text) => client.unsafe(text), { events });
// A source that was busy and went silent: whoever reads it newest first has a long way through the others.
await client.unsafe(
  "update webhook_events set source = 'silent' where source in ('standard', 'sendgrid') and received_at < now() - interval '10 days'",
);
await client.unsafe("vacuum analyze webhook_events");
// Group replays of last month: 20 of 500 events each, and one of as many as one may open.
await client.unsafe(`insert into webhook_replays (id, actor, filter, with_permanent, rate_per_second, row_limit, matched, will_replay, replayed, status, opening, started_at)
  select md5(n::text)::uuid, 'ada', '{}', false, 10, 1000, 500, 500, 500, 'completed', 1, now() - n * interval '1 day' from generate_series(1, 20) n`);
await client.unsafe(`insert into webhook_audit (actor, action, source, event_id, details)
  select 'ada', 'replay', e.source, e.event_id, jsonb_build_object('replay', md5((1 + row_number() over () % 20)::text)::uuid)
  from (select source, event_id from webhook_events where status = 'skipped' limit 10000) e`);
const largest = "00000000-0000-4000-8000-000000000001";
await client.unsafe(`insert into webhook_replays (id, actor, filter, with_permanent, rate_per_second, row_limit, matched, will_replay, replayed, status, opening)
  values ('${largest}', 'ada', '{}', false, 100, ${REPLAY_ROWS_LIMIT}, ${REPLAY_ROWS_LIMIT}, ${REPLAY_ROWS_LIMIT}, ${REPLAY_ROWS_LIMIT}, 'running', 1)`);
await client.unsafe(`insert into webhook_audit (actor, action, source, event_id, details)
  select 'ada', 'replay', e.source, e.event_id, '{"replay": "${largest}"}'
  from (select source, event_id from webhook_events tablesample system (20) where status = 'completed' limit ${REPLAY_ROWS_LIMIT}) e`);
await client.unsafe("vacuum analyze webhook_audit, webhook_replays");
const thisHourMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
for (let ago = 1; ago <= 31 * 24; ago++) await fillHour(db, thisHourMs - ago * HOUR_MS);
await client.unsafe("vacuum analyze webhook_hours");

const asked = [floor, ...(await questions(db))];
const times = new Map<Question, number[]>(asked.map((question) => [question, []]));
const rows = new Map<Question, number>();
for (let round = 0; round <= ROUNDS; round++) {
  say(`round ${round} of ${ROUNDS}`);
  for (const question of asked) {
    const startMs = performance.now();
    rows.set(question, await asking(db, question, (tx) => question.ask(tx)));
    // The first round fetches the pages.
    if (round > 0) times.get(question)?.push(performance.now() - startMs);
  }
}
const lists = [];
for (const question of asked) {
  const all = times.get(question) ?? [];
  const scans = await asking(db, question, (tx) => scansOf(tx, (explaining) => question.ask(explaining)));
  const { name, limitMs } = question;
  lists.push({ name, rows: rows.get(question) ?? 0, medianMs: hundredths(median(all)), worstMs: hundredths(Math.max(...all)), limitMs, scans });
}
await client.end();

say("writing, with and without the operators' indexes");
const maintenance = postgres(databases.adminUrl, { max: 1, onnotice() {} });
await maintenance`create database bench_without template bench_operators`;
await maintenance.end();
const withoutUrl = Object.assign(new URL(url), { pathname: "/bench_without" }).href;
const without = postgres(withoutUrl, { max: 1 });
const sizes = await without.unsafe<{ name: string; megabytes: number }[]>(
  "select indexrelname as name, (pg_relation_size(indexrelid) / 1e6)::float8 as megabytes from pg_stat_user_indexes where relname = 'webhook_events' order by 2 desc",
);
for (const index of OPERATORS_INDEXES) await without.unsafe(`drop index ${index}`);
await without.end();
const writes = await writeCost(url, withoutUrl);

const load = loadavg()[0] ?? Number.NaN;
if (flags.json === true) console.log(JSON.stringify({ at: new Date().toISOString(), events, load, lists, writes, indexes: sizes }));
else console.log(`${listsTable(lists)}\n\n${writesTable(writes, sizes, OPERATORS_INDEXES)}\n\nload of the machine at the end: ${load.toFixed(1)}`);
const slow = lists.filter(({ medianMs, limitMs }) => medianMs > limitMs);
for (const { name, limitMs } of slow) say(`too slow: ${name} took over ${limitMs} ms`);
// The Postgres of the run ends with this process.
process.exit(slow.length === 0 ? 0 : 1);
