/** What real client libraries sign goes over HTTP into a running instance, twice each, and has one effect each. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, before, test } from "node:test";
import postgres from "postgres";
import { secretVariable } from "../../src/config.ts";
import { registry } from "../../src/providers/registry.ts";
import { sampleBytes } from "../../src/providers/sample.ts";
import { SIGNING } from "../e2e/live-sources.ts";
import { newDataDir, startDevStack, type DevJson, type DevStack } from "../support/dev-stack.ts";
import type { Oracle, OracleSecrets } from "./oracle.ts";
import { oracles } from "./oracles.ts";
import { APP_KEY } from "./packages/pusher.ts";

const PUBLIC_BASE_URL = "https://hooks.example.com";
/** Leases, batches and retries of the dev stack's fast timings fit many times. */
const SETTLED_MS = 60_000;

interface Signer {
  readonly oracle: Oracle;
  readonly sign: NonNullable<Oracle["sign"]>;
  readonly secrets: OracleSecrets;
}

const signers = new Map<string, Signer>();
for (const oracle of await oracles()) {
  if (SIGNING.includes(oracle.provider) && oracle.sign !== null)
    signers.set(oracle.provider, { oracle, sign: oracle.sign, secrets: await oracle.secrets() });
}

const dataDir = newDataDir();
let stack: DevStack;
let info: DevJson;
let sql: postgres.Sql;

before(async () => {
  const vars = [...signers].flatMap(([name, { secrets }]) => ["--var", `${secretVariable(name)}:${secrets.verifying}`]);
  stack = startDevStack(dataDir, "--main", "test/e2e/live-worker.ts", "--var", `PUBLIC_BASE_URL:${PUBLIC_BASE_URL}`, ...vars);
  info = await stack.ready();
  sql = postgres(info.databaseUrl, { max: 2, onnotice() {} });
  await sql`create table test_entries (reference text primary key, user_id text not null, amount bigint not null)`;
});

after(async () => {
  await sql?.end({ timeout: 1 });
  await stack.stop();
  await stack.kill();
  rmSync(dataDir, { recursive: true, force: true });
});

void test("at least ten packages sign", () => assert.ok(signers.size >= 10, [...signers.keys()].join(", ")));

for (const [name, { sign, secrets }] of signers) {
  void test(`${name}: signed by its package, accepted over HTTP, and completed once`, async () => {
    const registered = registry[name];
    assert.ok(registered);
    const id = `live-${crypto.randomUUID()}`;
    const sample = registered.sample(undefined, { id, user: "u1", amount: 5 });
    const body = new TextDecoder().decode(sampleBytes(sample));
    const beside = name === "pusher" ? { "x-pusher-key": APP_KEY } : {};
    const signed = await sign(
      { method: "POST", url: `${PUBLIC_BASE_URL}/webhooks/${name}`, headers: { ...sample.headers, ...beside }, body, id, timestampMs: Date.now() },
      secrets.signing,
    );
    const target = signed.url.slice(PUBLIC_BASE_URL.length);
    const post = () => fetch(`${info.url}${target}`, { method: "POST", headers: signed.headers, body: signed.body });
    const answers = await Promise.all([post(), post()]);
    const outcomes = answers.map((answer) => answer.headers.get("holdfast-status")).toSorted();
    assert.ok(answers.every((answer) => answer.ok) && outcomes.includes("queued"), `${outcomes.join(", ")}\n${stack.output.slice(-3_000)}`);

    // A delivery of several events has a row of its own beside theirs.
    const rows = () =>
      sql<{ event_id: string; status: string; last_error: string | null }[]>`
        select event_id, status, last_error from webhook_events where source = ${name}`;
    const settled = async () => {
      const all = await rows();
      return all.length > 0 && all.every((row) => row.status !== "pending") && (await effects()) > 0;
    };
    const effects = async () => (await sql`select 1 from test_entries where user_id = ${name}`).length;
    const waitedSinceMs = Date.now();
    while (!(await settled()) && Date.now() - waitedSinceMs < SETTLED_MS) await new Promise((again) => setTimeout(again, 200));
    const seen = await rows();
    assert.ok(
      seen.every((row) => row.status === "completed"),
      JSON.stringify(seen),
    );
    assert.equal(await effects(), seen.filter((row) => !row.event_id.startsWith("delivery:")).length);
  });
}
