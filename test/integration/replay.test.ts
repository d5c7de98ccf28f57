/** An operator's order to try again, over HTTP: guarded, recorded, once. */
import { beforeAll, describe, expect, test } from "vitest";
import { on } from "../support/own-app.ts";
import { PermanentError } from "#holdfast";
import { control } from "../support/control.ts";
import { consume, type Ledger, ledger, message } from "../support/ledger.ts";
import { fetchWorker } from "../support/requests.ts";

let books: Ledger;
const queued: Awaited<ReturnType<typeof message>>[] = [];
beforeAll(async () => {
  books = await ledger("replay");
  control.queue = async (batch) => {
    for (const one of batch.messages) queued.push(one.body as Awaited<ReturnType<typeof message>>);
  };
});

const TOKEN = "test-admin-token";
const call = (path: string, method: string, token: string | null = TOKEN, bindings: Env = books.env) =>
  fetchWorker(
    new Request(`http://localhost/admin/api/events/${path}`, { method, headers: token === null ? {} : { authorization: `Bearer ${token}` } }),
    bindings,
  );
const replay = (id: string, token?: string | null) => call(`generic/${encodeURIComponent(id)}/replay`, "POST", token);

const dead = async (options: Parameters<typeof message>[0] = {}) => {
  const one = await message(options);
  await consume(books, [one], [on("generic", "*", () => Promise.reject(new PermanentError("broken")))]);
  return one;
};

describe("replay", () => {
  test("is not there without ADMIN_TOKEN, and refused with a wrong one", async () => {
    const one = await dead();
    const { ADMIN_TOKEN: _, ...without } = books.env as Env & { ADMIN_TOKEN: string };
    expect((await call(`generic/${one.facts.id}/replay`, "POST", TOKEN, without as Env)).status).toBe(404);
    for (const token of [null, "", "wrong", `${TOKEN}x`, TOKEN.slice(0, -1)]) expect((await replay(one.facts.id, token)).status).toBe(401);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "failed", replays: 0 });
  });

  test("of a dead letter runs it again under a newer opening, and is recorded", async () => {
    const one = await dead({ body: { keep: "me" } });
    expect((await replay(one.facts.id)).body).toMatchObject({ status: "replayed", what: "event", eventId: one.facts.id });
    expect(await books.row(one.facts.id)).toMatchObject({ status: "pending", attempts: 0, replays: 1 });
    await expect.poll(() => queued.some((sent) => sent.facts.id === one.facts.id), { timeout: 10_000 }).toBe(true);
    const sent = queued.find((candidate) => candidate.facts.id === one.facts.id);
    expect(sent?.opening).toBeGreaterThan(one.opening);
    let seen: unknown = null;
    await consume(books, [one, sent], [on("generic", "*", async ({ data }) => void (seen = data))]);
    expect(seen).toMatchObject({ keep: "me" });
    expect(await books.row(one.facts.id)).toMatchObject({ status: "completed", totalAttempts: 1 });
  });

  test("by ten people at once is one replay", async () => {
    const one = await dead();
    const answers = await Promise.all(Array.from({ length: 10 }, () => replay(one.facts.id)));
    expect(answers.map((answer) => String(answer.status)).toSorted()).toEqual(["202", ...Array.from({ length: 9 }, () => "409")]);
    expect(await books.row(one.facts.id)).toMatchObject({ replays: 1 });
  });

  test("of a completed event is refused", async () => {
    const one = await message();
    await consume(books, [one], [on("generic", "*", async () => undefined)]);
    expect((await replay(one.facts.id)).body).toMatchObject({ status: 409, title: "Completed" });
    expect(await books.row(one.facts.id)).toMatchObject({ status: "completed", replays: 0 });
  });

  test("of a skipped event runs it, once there is a handler", async () => {
    const one = await message({ type: "new.type" });
    await consume(books, [one], []);
    expect((await replay(one.facts.id)).status).toBe(202);
    await consume(books, [one], [on("generic", "new.type", async () => undefined)]);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "completed" });
  });

  test("of an event whose after was given up runs the after alone", async () => {
    const one = await message();
    const counts = { run: 0, after: 0 };
    const route = (fails: boolean) =>
      on("generic", "*", {
        run: async () => void counts.run++,
        after: async () => {
          counts.after++;
          if (fails) throw new PermanentError("gone");
        },
      });
    await consume(books, [one], [route(true)]);
    expect((await replay(one.facts.id)).body).toMatchObject({ what: "after" });
    await consume(books, [one], [route(false)]);
    expect(counts).toEqual({ run: 1, after: 2 });
    expect(await books.row(one.facts.id)).toMatchObject({ status: "completed", after: "done" });
  });

  test("without bytes is refused with 410", async () => {
    const one = await dead();
    await books.run(`update webhook_events set body = null where event_id = '${one.facts.id}'`);
    expect((await replay(one.facts.id)).body).toMatchObject({ status: 410, title: "No bytes" });
  });

  test("of an unknown event says so, and an id with a slash is found", async () => {
    expect((await replay("never/heard of it")).body).toMatchObject({ status: 404, detail: expect.stringContaining("never/heard of it") });
    const one = await dead({ id: `a/b ${crypto.randomUUID()}?c` });
    expect((await replay(one.facts.id)).status).toBe(202);
  });

  test("while Postgres is down is a problem to try again", async () => {
    const down = {
      connectionString: books.env.HYPERDRIVE.connectionString,
      connect: () => {
        throw new Error("refused");
      },
    } as unknown as Hyperdrive;
    expect((await call("generic/x/replay", "POST", TOKEN, { ...books.env, HYPERDRIVE: down })).status).toBe(503);
  });
});

test("an event can be read, with its payload", async () => {
  const one = await dead({ body: { amount: 7391 } });
  const { body } = await call(`generic/${one.facts.id}`, "GET");
  expect(body).toMatchObject({ id: one.facts.id, status: "failed", lastError: "broken" });
  expect((body as { payload: { pretty: string } }).payload.pretty).toContain('"amount": 7391');
});
