/** `events-dlq` never judges: used-up retries of a message say nothing about its event. */
import { beforeAll, describe, expect, test } from "vitest";
import { on } from "../support/own-app.ts";
import { control } from "../support/control.ts";
import { consume, type Ledger, ledger, message } from "../support/ledger.ts";
import { env } from "cloudflare:workers";

let books: Ledger;
const queued: { facts: { id: string } }[] = [];
const sends: { body: unknown; delaySeconds: number | undefined }[] = [];
beforeAll(async () => {
  books = await ledger("dlq");
  control.queue = async (batch) => {
    for (const one of batch.messages) queued.push(one.body as { facts: { id: string } });
  };
  const queue: Pick<Queue, "send"> = {
    send: (body: unknown, options) => {
      sends.push({ body, delaySeconds: options?.delaySeconds });
      return env.EVENTS.send(body);
    },
  };
  books = { ...books, env: { ...books.env, EVENTS: queue as Queue } };
});
const sentAgain = (id: string) => sends.filter((one) => (one.body as { facts: { id: string } }).facts.id === id);

describe("a message whose retries ran out", () => {
  test("of an event that is still pending gets a fresh one, later, and is no dead letter", async () => {
    const one = await message();
    await consume(books, [one], [on("generic", "*", () => Promise.reject(new Error("later")))]);
    expect((await consume(books, [one], [], { queue: "events-dlq" })).acked).toEqual([one.facts.id]);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "pending", attempts: 1 });
    expect(sentAgain(one.facts.id)).toMatchObject([{ body: one, delaySeconds: expect.any(Number) }]);
  });

  test("of an event that nobody has recorded gets a fresh one with its bytes", async () => {
    const one = await message({ body: { a: 1 } });
    await consume(books, [one], [], { queue: "acme-events-dlq" });
    expect(await books.row(one.facts.id)).toBeNull();
    expect(sentAgain(one.facts.id)).toMatchObject([{ body: { bytes: one.bytes } }]);
  });

  test("of a settled event is done, and its claim is told", async () => {
    const one = await message();
    await consume(
      { env: { ...books.env, CLAIMS: { getByName: () => ({ settle: () => Promise.reject(new Error("gone")) }) } as unknown as Env["CLAIMS"] } },
      [one],
      [on("generic", "*", async () => undefined)],
    );
    expect((await consume(books, [one], [], { queue: "events-dlq" })).acked).toEqual([one.facts.id]);
    expect(sentAgain(one.facts.id)).toEqual([]);
    const told = await env.CLAIMS.getByName(`generic:${one.facts.id}`).deliver({ facts: one.facts, bytes: new Uint8Array(2) });
    expect(told.kind).toBe("done");
  });

  test("of an event whose after is owed gets a fresh one", async () => {
    const one = await message();
    const route = on("generic", "*", { run: async () => undefined, after: () => Promise.reject(new Error("down")) });
    await consume(books, [one], [route]);
    await consume(books, [one], [], { queue: "events-dlq" });
    expect(sentAgain(one.facts.id)).toHaveLength(1);
  });

  test("while Postgres is down waits, and one that went around the claim is adopted", async () => {
    const one = await message({ direct: true });
    const dead = {
      connectionString: env.HYPERDRIVE.connectionString,
      connect: () => {
        throw new Error("refused");
      },
    } as unknown as Hyperdrive;
    expect((await consume({ env: { ...books.env, HYPERDRIVE: dead } }, [one], [], { queue: "events-dlq" })).retried).toHaveProperty(one.facts.id);
    expect((await env.CLAIMS.getByName(`generic:${one.facts.id}`).load()).body?.digest).toBe(one.facts.digest);
  });

  test("and that the queue does not take again waits", async () => {
    const one = await message();
    const refusing = { send: () => Promise.reject(new Error("full")) } as unknown as Queue;
    expect((await consume({ env: { ...books.env, EVENTS: refusing } }, [one], [], { queue: "events-dlq" })).acked).toEqual([]);
  });
});
