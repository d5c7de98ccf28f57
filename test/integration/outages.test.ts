/** One dependency down: verified events are acknowledged all the same, and take effect once it is back. */
import { createMessageBatch } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { on } from "../support/own-app.ts";
import { control } from "../support/control.ts";
import { consume, type Ledger, ledger, ledgerOn, message, unique } from "../support/ledger.ts";
import { delivery, fetchWorker } from "../support/requests.ts";

let books: Ledger;
beforeAll(async () => {
  books = await ledger("outages");
  // Messages on the real local queue are this file's to look at, not the consumer's to run.
  control.queue = async (batch) => {
    for (const one of batch.messages) queued.push(one.body as Awaited<ReturnType<typeof message>>);
  };
});
const queued: Awaited<ReturnType<typeof message>>[] = [];
const arrived = async (id: string) => {
  await expect.poll(() => queued.find((one) => one.facts.id === id), { timeout: 10_000 }).toBeDefined();
  return queued.filter((one) => one.facts.id === id);
};

type Claims = Env["CLAIMS"];
/** A fault of the platform: every call to the object fails. */
const brokenClaims = (error: () => Error): Claims =>
  ({
    getByName: () =>
      new Proxy(
        {},
        {
          get: () => async () => {
            throw error();
          },
        },
      ),
  }) as unknown as Claims;
const refusingQueue = {
  send: () => Promise.reject(new Error("queue is full")),
  sendBatch: () => Promise.reject(new Error("queue is full")),
} as unknown as Env["EVENTS"];
const deadPostgres = {
  connectionString: env.HYPERDRIVE.connectionString,
  connect: () => {
    throw new Error("connection refused");
  },
} as unknown as Hyperdrive;
const noop = on("generic", "*", async () => undefined);

describe("the claim is unreachable", () => {
  test("and the event takes the direct path: 202, and its message arrives marked direct", async () => {
    const id = unique("evt");
    const answer = await fetchWorker(await delivery({ id }), { ...books.env, CLAIMS: brokenClaims(() => new Error("object gone")) });
    expect([answer.status, answer.outcome, answer.body]).toEqual([202, "queued", { status: "queued", eventId: id }]);
    const [sent] = await arrived(id);
    expect(sent).toMatchObject({ direct: true, facts: { id } });
    expect((await consume(books, [sent], [noop])).acked).toEqual([id]);
    expect(await books.row(id)).toMatchObject({ status: "completed" });
  });

  test("for one call only, and the second try on a fresh stub finds it", async () => {
    const id = unique("evt");
    let calls = 0;
    const once = {
      getByName: (name: string) => (calls++ === 0 ? brokenClaims(() => new Error("reset")).getByName(name) : env.CLAIMS.getByName(name)),
    } as unknown as Claims;
    expect((await fetchWorker(await delivery({ id }), { ...books.env, CLAIMS: once })).outcome).toBe("queued");
    expect(calls).toBe(2);
    expect((await fetchWorker(await delivery({ id }))).outcome).toBe("pending");
  });

  test("because it is overloaded: it is not asked again", async () => {
    let calls = 0;
    const overloaded = brokenClaims(() => Object.assign(new Error("Durable Object is overloaded"), { overloaded: true }));
    const counting = { getByName: (name: string) => (calls++, overloaded.getByName(name)) } as unknown as Claims;
    expect((await fetchWorker(await delivery({ id: unique("evt") }), { ...books.env, CLAIMS: counting })).status).toBe(202);
    expect(calls).toBe(1);
  });

  test("because it hangs, and the body is too large for a message: acknowledged within 3 s all the same", async () => {
    const id = unique("evt");
    const hanging = { getByName: () => ({ deliver: () => new Promise(() => {}) }) } as unknown as Claims;
    const startMs = performance.now();
    const answer = await fetchWorker(await delivery({ id, body: JSON.stringify({ id, text: "x".repeat(200_000) }) }), {
      ...books.env,
      CLAIMS: hanging,
    });
    expect([answer.status, (await books.row(id))?.status]).toEqual([202, "pending"]);
    expect(performance.now() - startMs).toBeLessThan(3_000);
  });

  test("for its first call alone, which hangs: the second's answer counts, and no message goes around it", async () => {
    const id = unique("evt");
    let calls = 0;
    const claims = {
      getByName: (name: string) => (calls++ === 0 ? { deliver: () => new Promise(() => {}) } : env.CLAIMS.getByName(name)),
    } as unknown as Claims;
    expect((await fetchWorker(await delivery({ id }), { ...books.env, CLAIMS: claims })).outcome).toBe("queued");
    expect((await fetchWorker(await delivery({ id }))).outcome).toBe("pending");
    expect((await arrived(id)).map(({ direct }) => direct)).toEqual([false]);
  });

  test("and answers after we gave it up: its message and the direct one are one effect", async () => {
    const id = unique("evt");
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const late: Promise<unknown>[] = [];
    const claims = {
      getByName: (name: string) => ({
        deliver: (delivery: Parameters<ReturnType<Claims["getByName"]>["deliver"]>[0]) => {
          const reply = answered.then(() => env.CLAIMS.getByName(name).deliver(delivery));
          late.push(reply);
          return reply;
        },
      }),
    } as unknown as Claims;
    expect((await fetchWorker(await delivery({ id }), { ...books.env, CLAIMS: claims })).status).toBe(202);
    answer();
    await Promise.all(late);
    await expect.poll(() => queued.filter((one) => one.facts.id === id).length, { timeout: 10_000 }).toBe(2);
    const messages = queued.filter((one) => one.facts.id === id);
    let runs = 0;
    const counting = on("generic", "*", async () => void runs++);
    for (const one of messages) await consume(books, [one], [counting]);
    expect([runs, (await books.row(id))?.status]).toEqual([1, "completed"]);
  });

  test("and the body is too large for a message: its row is written before the answer", async () => {
    const id = unique("evt");
    const body = JSON.stringify({ id, text: "x".repeat(200_000) });
    const answer = await fetchWorker(await delivery({ body }), { ...books.env, CLAIMS: brokenClaims(() => new Error("object gone")) });
    expect(answer.status).toBe(202);
    expect(await books.row(id)).toMatchObject({ status: "pending", hasBody: true, bytesLength: body.length });
    const [sent] = await arrived(id);
    expect(sent).toMatchObject({ direct: true, bytes: null });
    await consume(books, [sent], [noop]);
    expect(await books.row(id)).toMatchObject({ status: "completed" });
  });

  test("for one of two deliveries: the claim's message and the direct one are one effect", async () => {
    const id = unique("evt");
    await fetchWorker(await delivery({ id }));
    await fetchWorker(await delivery({ id }), { ...books.env, CLAIMS: brokenClaims(() => new Error("object gone")) });
    await expect.poll(() => queued.filter((one) => one.facts.id === id).length, { timeout: 10_000 }).toBe(2);
    const messages = queued.filter((one) => one.facts.id === id);
    expect(messages.map((one) => one.direct).toSorted((left, right) => Number(left) - Number(right))).toEqual([false, true]);
    let runs = 0;
    const counting = on("generic", "*", async () => void runs++);
    for (const one of messages) await consume(books, [one], [counting]);
    await consume(books, messages, [counting]);
    expect([runs, (await books.row(id))?.status]).toEqual([1, "completed"]);
  });

  test("and the body is large and the queue refuses: acknowledged, the sweep sends it", async () => {
    const id = unique("evt");
    const body = JSON.stringify({ id, text: "x".repeat(200_000) });
    const answer = await fetchWorker(await delivery({ body }), {
      ...books.env,
      CLAIMS: brokenClaims(() => new Error("object gone")),
      EVENTS: refusingQueue,
    });
    expect(answer.status).toBe(202);
    expect(await books.row(id)).toMatchObject({ status: "pending", hasBody: true });
  });

  test("and the queue refuses: 503 with Retry-After, nothing half-done", async () => {
    const id = unique("evt");
    const answer = await fetchWorker(await delivery({ id }), {
      ...books.env,
      CLAIMS: brokenClaims(() => new Error("object gone")),
      EVENTS: refusingQueue,
    });
    expect([answer.status, answer.headers.get("retry-after"), answer.outcome, answer.body]).toEqual([
      503,
      "30",
      "rejected",
      { error: "Temporarily unavailable" },
    ]);
    expect(await books.row(id)).toBeNull();
    expect((await fetchWorker(await delivery({ id }))).outcome).toBe("queued");
  });

  test("and the ledger too, with a large body: 503, and nothing of the payload is in the log", async () => {
    const said: string[] = [];
    for (const level of ["log", "warn", "error"] as const) vi.spyOn(console, level).mockImplementation((line: string) => void said.push(line));
    const body = JSON.stringify({ id: unique("evt"), text: `canary-5521 ${"x".repeat(200_000)}` });
    const answer = await fetchWorker(await delivery({ body }), {
      ...books.env,
      CLAIMS: brokenClaims(() => new Error("object gone")),
      HYPERDRIVE: deadPostgres,
    });
    vi.restoreAllMocks();
    expect(answer.status).toBe(503);
    const lines = said.join("\n");
    expect(lines).toContain("claim_unreachable");
    expect(lines).toContain("connection refused");
    for (const secret of ["canary", btoa("canary-5521").slice(2, 12), "generic-test-secret"]) expect(lines).not.toContain(secret);
  });

  test("for the consumer: settled events are acknowledged, untold", async () => {
    const one = await message();
    const { acked } = await consume({ env: { ...books.env, CLAIMS: brokenClaims(() => new Error("object gone")) } }, [one], [noop]);
    expect(acked).toEqual([one.facts.id]);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "completed" });
  });
});

describe("Postgres is down", () => {
  test("and ingest answers as ever", async () => {
    expect((await fetchWorker(await delivery({ id: unique("evt") }), { ...books.env, HYPERDRIVE: deadPostgres })).status).toBe(202);
  });

  test("and the batch is given back, nothing acknowledged, nothing counted", async () => {
    const messages = await Promise.all([message(), message(), message()]);
    const { acked, retried } = await consume({ env: { ...books.env, HYPERDRIVE: deadPostgres } }, messages, [noop]);
    expect(acked).toEqual([]);
    expect(Object.keys(retried)).toHaveLength(3);
    expect(Object.values(retried).every((seconds) => seconds !== undefined && seconds >= 1)).toBe(true);
    await consume(books, messages, [noop]);
    expect(await books.row(messages[0]?.facts.id ?? "")).toMatchObject({ status: "completed", attempts: 0, totalAttempts: 0 });
  });

  test("and waits grow with the message's deliveries", async () => {
    const one = await message();
    const early = (await consume({ env: { ...books.env, HYPERDRIVE: deadPostgres } }, [one], [noop], { deliveries: 1 })).retried[one.facts.id] ?? 0;
    const late = (await consume({ env: { ...books.env, HYPERDRIVE: deadPostgres } }, [one], [noop], { deliveries: 30 })).retried[one.facts.id] ?? 0;
    expect(late).toBeGreaterThan(early);
  });

  test("and a message that went around the claim is adopted by it before it waits", async () => {
    const one = await message({ direct: true });
    await consume({ env: { ...books.env, HYPERDRIVE: deadPostgres } }, [one], [noop]);
    const loaded = await env.CLAIMS.getByName(`generic:${one.facts.id}`).load();
    expect(loaded.body?.digest).toBe(one.facts.digest);
    expect((await fetchWorker(await delivery({ id: one.facts.id }))).outcome).toBe("pending");
  });
});

describe("the queue refuses", () => {
  test("and the event is acknowledged: its bytes are in the claim", async () => {
    const id = unique("evt");
    // The object has bindings of its own: its queue is made to refuse in test/worker. Here: ingest never needs the queue while the claim is there.
    const answer = await fetchWorker(await delivery({ id }), { ...books.env, EVENTS: refusingQueue });
    expect([answer.status, answer.outcome]).toEqual([202, "queued"]);
  });
});

describe("messages that cannot be read", () => {
  test.each([
    ["of a newer version", { v: 2 }],
    ["of no shape at all", "what?"],
  ])("%s are given back, and hold up nobody", async (_what, body) => {
    const good = await message();
    const { acked, retried } = await consume(books, [body, good], [noop]);
    expect(acked).toEqual([good.facts.id]);
    expect(Object.keys(retried)).toHaveLength(1);
  });

  test("of a source that this version does not have are given back without a row", async () => {
    const one = await message({ source: "not-yet" });
    expect((await consume(books, [one], [noop])).acked).toEqual([]);
    expect(await books.row(one.facts.id, "not-yet")).toBeNull();
  });
});

test("an empty batch is no failure", async () => {
  expect(createMessageBatch("events", []).messages).toHaveLength(0);
  expect(await consume(ledgerOn(deadPostgres), [], [noop])).toEqual({ acked: [], retried: {} });
});
