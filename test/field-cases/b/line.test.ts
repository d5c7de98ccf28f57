/** Field cases of the line to Postgres and of bytes: what is asked over it, what breaks, and what is not there when it is needed. */
import { connect } from "cloudflare:sockets";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { configOf } from "../../../src/config.ts";
import type { EventMessage } from "../../../src/core/message.ts";
import { timings } from "../../../src/core/timings.ts";
import { openClient } from "../../../src/store/client.ts";
import { sweep } from "../../../src/sweep.ts";
import type { Fault, GateState } from "../../support/fault-proxy.ts";
import { config, message, unique } from "../../support/ledger.ts";
import { bytesOf, credit, Field, on, vector } from "./field.ts";

let field: Field;
beforeAll(async () => {
  field = await Field.open("line");
});

const handlers = [on("stripe", "*", credit), on("sendgrid", "*", credit)];

/** A line of its own to the same ledger, with a fault on it, or only a look at what goes over it. */
async function gate(fault: Fault): Promise<{ readonly HYPERDRIVE: unknown; readonly state: () => Promise<GateState> }> {
  const control = inject("faultControlUrl");
  const { port } = await (await fetch(control, { method: "POST", body: JSON.stringify(fault) })).json<{ port: number }>();
  const { connectionString } = field.books.env.HYPERDRIVE;
  return {
    HYPERDRIVE: { connectionString, connect: () => connect({ hostname: "127.0.0.1", port }) },
    state: async () => (await fetch(`${control}/${port}`)).json<GateState>(),
  };
}

test("B48 unnamed statements and an awaited end() behind Hyperdrive hang", async () => {
  const { options, ...client } = openClient(field.books.env.HYPERDRIVE, timings("fast")).sql;
  expect(options).toMatchObject({ max: 1, prepare: true, fetch_types: false });
  // Nobody can wait for an end that there is not.
  expect(client).not.toHaveProperty("end");
  const { HYPERDRIVE, state } = await gate({ kind: "none" });
  const one = await message({ source: "stripe" });
  expect((await field.consume([one], handlers, { HYPERDRIVE })).acked).toEqual([one.facts.id]);
  const { prepared, connections } = await state();
  expect([prepared.filter(({ name }) => name === ""), connections]).toEqual([[], 1]);
  // An answer that never comes is an outage within our own time, not a hang.
  const silent = await gate({ kind: "silence" });
  const startMs = performance.now();
  const other = await message({ source: "stripe" });
  expect(await field.consume([other], handlers, silent)).toMatchObject({ acked: [], retried: { [other.facts.id]: expect.any(Number) } });
  expect(performance.now() - startMs).toBeLessThan(config.timings.connectTimeoutMs + config.timings.silenceMs);
  expect(await field.row(other.facts.id)).toBeNull();
});

test("B49 Hyperdrive's query cache serves a stale read after our own write", async () => {
  const { HYPERDRIVE, state } = await gate({ kind: "none" });
  const [fresh, settled] = [await message({ source: "stripe" }), await message({ source: "stripe" })];
  await field.consume([settled], handlers);
  expect((await field.consume([fresh, settled], handlers, { HYPERDRIVE })).acked).toHaveLength(2);
  // A cache answers plain reads outside of transactions alone: to run or to leave alone is never decided by one.
  const { executed } = await state();
  const begun = executed.findIndex((text) => text.startsWith("begin"));
  const before = executed.slice(0, begun).filter((text) => /^\s*select\b/i.test(text));
  expect([begun > 0, before]).toEqual([true, []]);
  const locks = executed.filter((text) => text.includes("from webhook_events e") && /^\s*select\b/i.test(text));
  expect(locks.length).toBeGreaterThan(0);
  for (const text of locks) expect(text).toContain("for update");
});

test.each([
  ["evt_B_cm1", "after COMMIT has reached the server", { kind: "cut-after", at: "commit", how: "close", answeredBytes: 0 }],
  ["evt_B_cm2", "before COMMIT reaches the server", { kind: "cut-before", at: "commit", how: "close" }],
] as const)("B61 COMMIT was sent, the connection died before the answer: %s, %s", async (id, _when, fault) => {
  const one = await message({ source: "stripe", id });
  const { acked, retried } = await field.consume([one], handlers, await gate(fault));
  expect([acked, Object.keys(retried)]).toEqual([[], [id]]);
  expect((await field.consume([one], handlers)).acked).toEqual([id]);
  expect(await field.row(id)).toMatchObject({ status: "completed", attempts: 0, totalAttempts: 0 });
  expect([await field.books.balance(id), await field.count("webhook_events", `event_id = '${id}'`)]).toEqual([1, 1]);
});

test("B70 after an outage all retries come at once and exhaust connections", { timeout: 60_000 }, async () => {
  const batches = await Promise.all(Array.from({ length: 5 }, () => Promise.all(Array.from({ length: 8 }, () => message({ source: "stripe" })))));
  const full = await gate({ kind: "fatal-start", sqlstate: "53300", message: "sorry, too many clients already" });
  const refused = await Promise.all(batches.map((batch) => field.consume(batch, handlers, full, 12)));
  const delays = refused.flatMap(({ retried }) => Object.values(retried));
  expect([delays.length, refused.flatMap(({ acked }) => acked)]).toEqual([40, []]);
  // Spread over the upper half of the wait, so that they do not come back as one.
  expect(new Set(delays).size).toBeGreaterThan(1);
  const open = await gate({ kind: "none" });
  const worked = await Promise.all(batches.map((batch) => field.consume(batch, handlers, open)));
  expect(worked.flatMap(({ acked }) => acked)).toHaveLength(40);
  // One connection for each consumer, whatever it has to do.
  expect((await open.state()).connections).toBe(5);
  const ids = batches
    .flat()
    .map(({ facts }) => `'${facts.id}'`)
    .join();
  expect(await field.count("webhook_events", `event_id in (${ids}) and status = 'completed' and total_attempts = 0`)).toBe(40);
  expect(await field.count("test_balances", `user_id in (${ids}) and balance = 1`)).toBe(40);
});

test("B71 one bad item of a body with several events makes the others lost or doubled", async () => {
  const sent: EventMessage[] = [];
  let isRefusing = true;
  const EVENTS = {
    metrics: async () => ({ backlogCount: 0 }),
    sendBatch: async (all: Iterable<{ body: EventMessage }>) => {
      if (isRefusing) throw new Error("queue is full");
      sent.push(...[...all].map(({ body }) => body));
    },
  };
  const { eventId } = (await field.send("B71 r1")).body as { eventId: string };
  const deliveries = await field.messages(eventId);
  // The queue takes none of the items' messages, and the provider sends the same body again.
  await field.consume(deliveries, handlers, { EVENTS });
  expect((await field.send("B71 r1")).outcome).toBe("done");
  await field.consume(deliveries, handlers, { EVENTS });
  isRefusing = false;
  await field.books.run("update webhook_events set sent_at = now() - interval '30 days' where source = 'sendgrid'");
  const bindings = field.bindings({ EVENTS });
  await sweep(bindings, configOf(bindings));
  await field.consume(sent, handlers);
  await field.consume(sent, handlers);
  const rows = await field.books.run("select event_id as id, status from webhook_events where source = 'sendgrid' order by event_id");
  // The repeated arr_a is one event; the item without an id has its digest for one, and runs too.
  const item = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);
  expect(rows.filter(({ id }) => id !== eventId)).toEqual([
    { id: "arr_a", status: "completed" },
    { id: "arr_c", status: "completed" },
    { id: item, status: "completed" },
  ]);
  expect(rows.find(({ id }) => id === eventId)).toMatchObject({ status: "completed" });
  expect([await field.books.balance("arr_a"), await field.books.balance("arr_c")]).toEqual([1, 1]);
});

test("B72 the two events of the body that ends with CRLF run, with the bytes between them left out", async () => {
  const { eventId } = (await field.send("B72 r1")).body as { eventId: string };
  await field.consume(await field.messages(eventId), handlers);
  const whole = new TextDecoder().decode(vector("B72 r1").body);
  for (const id of ["crlf_a", "crlf_b"]) {
    const [row] = await field.books.run(`select convert_from(body, 'utf8') as text from webhook_events where event_id = '${id}'`);
    expect(whole).toContain(row?.["text"]);
    expect(JSON.parse(String(row?.["text"]))).toMatchObject({ sg_event_id: id });
  }
});

describe("B99 the bytes of a large event are missing when the consumer needs them", () => {
  const large = (id: string) => message({ source: "stripe", id, bare: true, bytes: bytesOf(JSON.stringify({ id, text: "x".repeat(143_000) })) });
  type Load = () => Promise<{ error: string | null; body: { digest: string; bytes: Uint8Array } | null }>;
  const claims = (load: Load) => ({
    CLAIMS: { getByName: () => ({ load, settle: async () => ({ error: null }), adopt: async () => ({ error: null }) }) },
  });

  test("B99 the claim cannot say for two attempts, then has them: uncounted, one effect", async () => {
    const id = unique("evt_B_blob");
    const one = await large(id);
    const bytes = bytesOf(JSON.stringify({ id, text: "x".repeat(143_000) }));
    let asked = 0;
    const late = claims(async () =>
      ++asked <= 2 ? { error: "storage is away", body: null } : { error: null, body: { digest: one.facts.digest, bytes } },
    );
    let acked: readonly string[] = [];
    for (let attempt = 0; attempt < 5 && acked.length === 0; attempt++) ({ acked } = await field.consume([one], handlers, late));
    expect([acked, asked, await field.books.balance(id)]).toEqual([[id], 3, 1]);
    expect(await field.row(id)).toMatchObject({ status: "completed", totalAttempts: 0, hasBody: true });
    // Long after, when the bytes are gone, the message comes once more.
    await field.books.run(`update webhook_events set body = null where event_id = '${id}'`);
    expect(
      (
        await field.consume(
          [one],
          handlers,
          claims(async () => ({ error: null, body: null })),
        )
      ).acked,
    ).toEqual([id]);
    expect([await field.books.balance(id), await field.row(id)]).toMatchObject([1, { status: "completed" }]);
  });
  test("B99 nobody has them: a dead letter that says so, and no empty payload is handled", async () => {
    const one = await large(unique("evt_B_blob"));
    await field.consume(
      [one],
      handlers,
      claims(async () => ({ error: null, body: null })),
    );
    expect(await field.row(one.facts.id)).toMatchObject({ status: "failed", reason: "bytes_missing", hasBody: false });
    expect(await field.books.balance(one.facts.id)).toBe(0);
  });
  test("B99 they are others than the message says: never handled", async () => {
    const one = await large(unique("evt_B_blob"));
    await field.consume(
      [one],
      handlers,
      claims(async () => ({ error: null, body: { digest: one.facts.digest, bytes: bytesOf("{}") } })),
    );
    expect(await field.row(one.facts.id)).toMatchObject({ status: "failed", reason: "bytes_missing" });
    expect(await field.books.balance(one.facts.id)).toBe(0);
  });
});
