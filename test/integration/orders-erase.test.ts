/** A privacy request: afterwards nothing of the payload is anywhere that Holdfast keeps things, and the event still does not run again. */
import { env, exports } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { eventKeyText } from "../../src/core/event.ts";
import { PermanentError, type Route } from "#holdfast";
import { control } from "../support/control.ts";
import { type Ledger, ledgerOn, message, unique } from "../support/ledger.ts";
import { auditOf, call, eventPath } from "../support/operators.ts";
import { on } from "../support/own-app.ts";
import { delivery } from "../support/requests.ts";

/** The Worker's own ledger: the event takes the whole way, and its claim is real. */
const books: Ledger = ledgerOn(env.HYPERDRIVE);
const erase = (id: string, reason: unknown = "asked for by the customer", source = "generic", bindings: Env = env) =>
  call("POST", eventPath(id, "erase", source), { reason }, bindings);

const canary = (): string => unique("canary");
let runs: string[] = [];
const handled = (run: Route): void => {
  control.handlers = [run];
  control.queue = (_, consume) => consume();
};
beforeEach(() => {
  runs = [];
});
const failing = (word: string) =>
  on("generic", "*", ({ event }) => {
    runs.push(event.id);
    // As handlers do: the ledger keeps it, the log leaves JSON out.
    throw new PermanentError(`no such user: {"user":"${word}"}`);
  });
const working = on("generic", "*", async ({ event }) => void runs.push(event.id));

/** Posts it with the canary in body and headers, and waits until its row and its claim are settled. */
async function settled(status: string, word: string, id = unique("evt")): Promise<string> {
  const request = await delivery({ id, body: { id, user: word }, headers: { "x-tenant": word } });
  expect((await exports.default.fetch(request)).status).toBeLessThan(300);
  await expect.poll(async () => (await books.row(id))?.status, { timeout: 15_000 }).toBe(status);
  const claim = status === "failed" ? "failed" : "completed";
  await expect.poll(async () => (await inObject(id)).includes(`"status":"${claim}"`), { timeout: 15_000 }).toBe(true);
  return id;
}

/** All that the event's object keeps, as text. */
const inObject = (id: string, source = "generic"): Promise<string> =>
  runInDurableObject(env.CLAIMS.getByName(eventKeyText({ source, id })), (_, state) =>
    JSON.stringify([...state.storage.kv.list()], (_, value: unknown) => (value instanceof Uint8Array ? new TextDecoder().decode(value) : value)),
  );

/** Every column of every table, bytes as text: where the word stands. */
async function inLedger(word: string): Promise<string[]> {
  const columns = await books.run(
    "select table_name, column_name, data_type from information_schema.columns where table_schema = 'public' and data_type in ('text', 'jsonb', 'bytea')",
  );
  const found: string[] = [];
  for (const { table_name, column_name, data_type } of columns as readonly Record<string, string>[]) {
    const text = data_type === "bytea" ? `encode("${column_name}", 'escape')` : `"${column_name}"::text`;
    const [row] = await books.run(`select count(*)::int as n from "${table_name}" where position('${word}' in ${text}) > 0`);
    if (Number(row?.["n"]) > 0) found.push(`${table_name}.${column_name}`);
  }
  return found;
}

describe("erase", () => {
  test("of a dead letter leaves nothing of the payload anywhere, and a redelivery does not run", async () => {
    const word = canary();
    handled(failing(word));
    const id = await settled("failed", word);
    expect(await inLedger(word)).toEqual(
      expect.arrayContaining(["webhook_events.body", "webhook_events.headers", "webhook_events.last_error", "webhook_attempts.message"]),
    );
    expect(await inObject(id)).toContain(word);
    expect(await erase(id)).toMatchObject({ status: 200, body: { status: "erased", delivery: null } });
    expect(await inLedger(word)).toEqual([]);
    expect(await inObject(id)).not.toContain(word);
    expect(await books.row(id)).toMatchObject({ status: "skipped", reason: "erased", hasBody: false, totalAttempts: 1 });
    expect(await auditOf(books, id)).toEqual([
      { actor: "admin token", action: "erase", details: { via: "token", reason: "asked for by the customer" } },
    ]);
    handled(working);
    const before = [...runs];
    expect((await exports.default.fetch(await delivery({ id, body: { id, user: word } }))).headers.get("holdfast-status")).toBe("done");
    expect((await call("POST", eventPath(id, "replay"), { force: true }, env)).body).toMatchObject({ status: 410 });
    expect(runs).toEqual(before);
  });

  test("of a completed event keeps its row, so that it is not run again", async () => {
    const word = canary();
    handled(working);
    const id = await settled("completed", word);
    await erase(id);
    expect([await inLedger(word), (await inObject(id)).includes(word)]).toEqual([[], false]);
    expect(await books.row(id)).toMatchObject({ status: "completed", hasBody: false });
  });

  test("given twice is done twice, and both stand in the audit", async () => {
    handled(working);
    const id = await settled("completed", canary());
    const answers = await Promise.all([erase(id), erase(id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await auditOf(books, id)).toHaveLength(2);
  });

  test("of an event that is open for work is refused, and nothing of it goes", async () => {
    const word = canary();
    handled(on("generic", "*", () => Promise.reject(new Error("later"))));
    const id = unique("evt");
    await exports.default.fetch(await delivery({ id, body: { id, user: word } }));
    await expect.poll(async () => (await books.row(id))?.attempts, { timeout: 15_000 }).toBe(1);
    expect((await erase(id)).body).toMatchObject({ status: 409, title: "Still pending" });
    expect(await books.row(id)).toMatchObject({ status: "pending", hasBody: true });
    expect(await auditOf(books, id)).toEqual([]);
  });

  test("without a reason is refused", async () => {
    handled(working);
    const id = await settled("completed", canary());
    expect((await erase(id, "")).body).toMatchObject({ status: 400 });
    expect(await books.row(id)).toMatchObject({ hasBody: true });
  });

  test("whose object does not answer says that a copy may be left, and takes it the next time", async () => {
    const word = canary();
    handled(failing(word));
    const id = await settled("failed", word);
    const CLAIMS = { getByName: () => ({ erase: () => Promise.reject(new Error("unreachable")) }) } as unknown as Env["CLAIMS"];
    expect((await erase(id, "asked", "generic", { ...env, CLAIMS })).body).toMatchObject({ note: expect.stringContaining(id) });
    expect(await inObject(id)).toContain(word);
    expect((await erase(id)).body).not.toHaveProperty("note");
    expect(await inObject(id)).not.toContain(word);
  });

  test("of an event that came with others takes the delivery's bytes too", async () => {
    const word = canary();
    const [first, second] = [unique("evt"), unique("evt")];
    handled(on("batches", "*", async () => undefined));
    const request = await delivery({
      source: "batches",
      body: {
        events: [
          { id: first, user: word, type: "t" },
          { id: second, user: "somebody else", type: "t" },
        ],
      },
      headers: { "x-request-id": unique("request"), "x-tenant": word },
    });
    await exports.default.fetch(request);
    await expect.poll(async () => (await books.row(second, "batches"))?.status, { timeout: 15_000 }).toBe("completed");
    await expect.poll(async () => (await books.row(first, "batches"))?.status, { timeout: 15_000 }).toBe("completed");
    const { body } = await erase(first, "asked", "batches");
    const { delivery: brought } = body as { delivery: string };
    expect(brought).toMatch(/^delivery:/);
    expect(await books.row(brought, "batches")).toMatchObject({ status: "completed", hasBody: false });
    expect(await auditOf(books, brought)).toMatchObject([{ action: "erase", details: { with: first } }]);
    // The others keep theirs, and with them the headers of the delivery that they came in.
    expect(await inLedger(word)).toEqual(["webhook_events.headers"]);
    expect(await inObject(brought, "batches")).not.toContain(word);
    expect(await books.row(second, "batches")).toMatchObject({ hasBody: true });
  });
});

test("a message that is still under way brings nothing back", async () => {
  const word = canary();
  handled(working);
  const id = await settled("completed", word);
  await erase(id);
  const late = await message({ id, body: { id, user: word }, opening: Date.now() + 60_000, headers: { "x-tenant": word } });
  await env.EVENTS.send({ ...late, direct: true }, { contentType: "v8" });
  const marker = await settled("completed", canary());
  expect(marker).not.toBe(id);
  expect([await inLedger(word), (await inObject(id)).includes(word)]).toEqual([[], false]);
});
