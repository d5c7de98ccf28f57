/** Faults that a review found, each under its symptom: all were real once. */
import { generic } from "../../src/providers/generic.ts";
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { beforeAll, expect, test, vi } from "vitest";
import { consume as consumeBatch } from "../../src/queue/consume.ts";
import { record } from "../../src/store/statements/record.ts";
import { openClient } from "../../src/store/client.ts";
import { RetryAfterError } from "#holdfast";
import { on } from "../support/own-app.ts";
import { config, consume, type Ledger, ledger, message, unique } from "../support/ledger.ts";
import { delivery, fetchWorker } from "../support/requests.ts";

let books: Ledger;
beforeAll(async () => {
  books = await ledger("review");
});
const set = (id: string, what: string) => books.run(`update webhook_events set ${what} where event_id = '${id}'`);
const deadClaims = { getByName: () => ({ deliver: () => Promise.reject(new Error("unreachable")) }) } as unknown as Env["CLAIMS"];
const refusingQueue = { send: () => Promise.reject(new Error("refused")) } as unknown as Env["EVENTS"];

test("an after that an outage kept from running keeps its message", async () => {
  const [a, b] = [await message({ id: unique("a") }), await message({ id: unique("b") })];
  const ran: string[] = [];
  let isDown = false;
  const { HYPERDRIVE: up } = books.env;
  const connect = (): Socket => {
    if (isDown) throw new Error("refused");
    return up.connect();
  };
  const HYPERDRIVE = { connectionString: up.connectionString, connect } as unknown as Hyperdrive;
  const handler = on("generic", "*", {
    async run() {},
    async after({ event }: { event: { id: string } }) {
      ran.push(event.id);
      // The consumer's connection goes while the first after runs, and no other is to be had: noticed at once, or by the next statement.
      isDown = true;
      await books.run("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()");
    },
  });
  const { acked } = await consume({ env: { ...books.env, HYPERDRIVE } }, [a, b], [handler]);
  expect(ran).toHaveLength(1);
  expect(await books.row(b.facts.id)).toMatchObject({ status: "completed", after: "owed" });
  expect(acked).not.toContain(b.facts.id);
});

test("the invocation's budget stops the run of suspects", async () => {
  const works = await Promise.all(Array.from({ length: 4 }, () => message({ type: "slow" })));
  for (const one of works) {
    await consume(books, [one], [on("generic", "*", () => Promise.reject(new Error("x")))]);
    await set(one.facts.id, "sent_at = now(), starts = 1, started_at = null");
  }
  let runs = 0;
  const batch = createMessageBatch(
    "events",
    works.map((body, i) => ({ id: `${i}`, timestamp: new Date(), attempts: 1, body })),
  );
  const short = { ...config, timings: { ...config.timings, invocationBudgetMs: 300 } };
  const routes = [
    on("generic", "*", async () => {
      runs += 1;
      await new Promise((r) => setTimeout(r, 400));
    }),
  ];
  await consumeBatch(batch, { env: books.env, config: short, routes, provider: () => generic() });
  await getQueueResult(batch, createExecutionContext());
  expect(runs).toBe(1);
});

test("a handler that overstays in a late statement is counted", async () => {
  const one = await message();
  const { timings } = config;
  const late = timings.handlerMs - 300;
  await consume(
    books,
    [one],
    [
      on("generic", "*", async ({ tx }) => {
        await new Promise((r) => setTimeout(r, late));
        await tx.execute(sql`select pg_sleep(60)`);
      }),
    ],
  );
  expect(await books.row(one.facts.id)).toMatchObject({ status: "pending", attempts: 1 });
});

test("a Postgres that flaps does not make a healthy event a killer", async () => {
  const one = await message();
  const state = { down: false };
  const flapping: Ledger = {
    ...books,
    env: {
      ...books.env,
      HYPERDRIVE: {
        connectionString: books.env.HYPERDRIVE.connectionString,
        connect: () => {
          if (state.down) throw new Error("refused");
          return books.env.HYPERDRIVE.connect();
        },
      } as unknown as Hyperdrive,
    },
  };
  const handler = on("generic", "*", async ({ tx }) => {
    state.down = true;
    await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
  });
  for (let time = 0; time < 6; time++) {
    state.down = false;
    await set(one.facts.id, "started_at = null"); // the suspect's lease has passed
    await consume(flapping, [one], [handler]);
  }
  expect(await books.row(one.facts.id)).toMatchObject({ status: "pending", attempts: 0 });
});

test("a large redelivery of a dead letter, claim and queue down: not acknowledged unless it is open again", async () => {
  const id = unique("evt");
  const body = { id, filler: "x".repeat(100_000) };
  const own = { ...books.env, CLAIMS: deadClaims, EVENTS: refusingQueue };
  expect((await fetchWorker(await delivery({ id, body }), own)).status).toBe(202);
  await set(id, "status = 'failed', reason = 'permanent', settled_at = now()");
  const answer = await fetchWorker(await delivery({ id, body }), own);
  const row = await books.row(id);
  expect({ acknowledged: answer.status === 202, status: row?.status }).not.toEqual({ acknowledged: true, status: "failed" });
});

test("no payload in the log when the ledger refuses a large body", async () => {
  const id = unique("evt");
  const body = { id, filler: "TOPSECRET".repeat(10_000) };
  const lines: string[] = [];
  const spies = (["log", "warn", "error"] as const).map((how) => vi.spyOn(console, how).mockImplementation((line) => void lines.push(String(line))));
  const down = {
    connectionString: books.env.HYPERDRIVE.connectionString,
    connect: () => {
      throw new Error("refused");
    },
  } as unknown as Hyperdrive;
  await fetchWorker(await delivery({ id, body }), { ...books.env, CLAIMS: deadClaims, HYPERDRIVE: down });
  for (const spy of spies) spy.mockRestore();
  expect(lines.join("\n").length).toBeLessThan(5_000);
  expect(lines.join("\n")).not.toContain(btoa("TOPSECRET".repeat(20)));
});

test("a message of a newer opening, its retries used up, still opens the dead letter", async () => {
  const one = await message({ direct: true });
  await consume(books, [one], [on("generic", "*", () => Promise.reject(Object.assign(new Error("no"), { name: "PermanentError" })))]);
  expect(await books.row(one.facts.id)).toMatchObject({ status: "failed" });
  const sent: unknown[] = [];
  const EVENTS = { send: async (m: unknown) => void sent.push(m) } as unknown as Env["EVENTS"];
  const redelivered = { ...one, opening: one.opening + 60_000 };
  const { acked } = await consume({ env: { ...books.env, EVENTS } }, [redelivered], [], { queue: "events-dlq" });
  expect({ acked: acked.length, sentAgain: sent.length }).not.toEqual({ acked: 1, sentAgain: 0 });
});

test("a copy recorded before a failure does not use up an attempt after it", async () => {
  const [s, x] = [await message({ id: unique("s"), type: "fails" }), await message({ id: unique("x"), type: "waits" })];
  // Consumer A has recorded S and not locked it yet.
  await record(books.db(), [{ facts: s.facts, opening: s.opening, duplicates: 0, mismatches: 0, bytes: s.bytes }], "skip");
  const fails = on("generic", "fails", () => Promise.reject(new RetryAfterError("no", 60)));
  // Consumer B has recorded a copy of S too (a suspect to it) and is busy with X, while A's run of S fails and is counted.
  const waits = on("generic", "waits", async () => void (await consume(books, [s], [fails])));
  await consume(books, [x, s], [fails, waits]);
  expect(await books.row(s.facts.id)).toMatchObject({ attempts: 1 });
});

test("an event that takes the connection down costs its batch mates nothing the next time", async () => {
  const bad = await message({ type: "crash" });
  const good = await Promise.all(Array.from({ length: 3 }, () => message({ type: "good" })));
  const crash = on("generic", "crash", async ({ tx }) => void (await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`)));
  const fine = on("generic", "good", async () => {});
  let acked: readonly string[] = [];
  for (let time = 0; time < 4 && acked.length < 3; time++) ({ acked } = await consume(books, [bad, ...good], [crash, fine]));
  expect(acked).toHaveLength(3);
});

test("copies that come early use up no attempts of an after", async () => {
  const one = await message();
  const handler = on("generic", "*", {
    async run() {},
    async after() {
      throw new RetryAfterError("no", 60);
    },
  });
  for (let time = 0; time < 3; time++) await consume(books, [one], [handler]);
  expect((await books.row(one.facts.id))?.afterAttempts).toBe(1);
});

test("a copy that came early does not clear another consumer's start", async () => {
  const [s, x] = [await message({ id: unique("s") }), await message({ id: unique("x"), type: "waits" })];
  await consume(books, [s], [on("generic", "*", () => Promise.reject(new Error("no")))]); // sent_at: later
  await set(s.facts.id, "sent_at = now() + interval '1 hour'");
  const waits = on("generic", "waits", async () => {
    // Meanwhile it is due, and another consumer records it and begins.
    await set(s.facts.id, "sent_at = now()");
    const other = openClient(books.env.HYPERDRIVE, config.timings);
    await record(other.db, [{ facts: s.facts, opening: s.opening, duplicates: 0, mismatches: 0, bytes: s.bytes }], "skip");
  });
  await consume(books, [s, x], [waits]);
  expect(await books.row(s.facts.id)).toMatchObject({ starts: 1 });
});

test("the dead-letter queue does not drop an owed after when the queue refuses", async () => {
  const one = await message();
  await consume(
    books,
    [one],
    [
      on("generic", "*", {
        async run() {},
        async after() {
          throw new Error("no");
        },
      }),
    ],
  );
  const { acked } = await consume({ env: { ...books.env, EVENTS: refusingQueue } }, [one], [], { queue: "events-dlq" });
  expect(acked).toEqual([]);
});

test("one row that stays locked holds up the end of the batch by its lock timeout at most", async () => {
  const [held, mate] = [await message({ id: unique("a") }), await message({ id: unique("b") })];
  const outage = on("generic", "*", async ({ tx }) => void (await tx.execute(sql`do $$ begin raise exception 'x' using errcode = '40001'; end $$`)));
  const holder = openClient(books.env.HYPERDRIVE, config.timings);
  let release = (): void => {};
  // Both are being given back by an outage; another consumer's run has locked the first meanwhile.
  const own = on("generic", "*", async (context) => {
    if (context.event.id === mate.facts.id && !started) {
      started = true;
      void holder.sql
        .begin(async (t) => {
          await t.unsafe("select 1 from webhook_events where event_id = $1 for update", [held.facts.id]).values();
          locked();
          await new Promise<void>((r) => (release = r));
        })
        .catch(() => undefined);
      await Promise.race([hasLocked, new Promise((r) => setTimeout(r, 1_000))]);
    }
    return outage.handler.run(context as never) as Promise<void>;
  });
  let started = false;
  const { promise: hasLocked, resolve: locked } = Promise.withResolvers<void>();
  const startMs = Date.now();
  await consume(books, [held, mate], [own]);
  const tookMs = Date.now() - startMs;
  release();
  expect(tookMs).toBeLessThan(config.timings.lockTimeoutMs + 3_000);
  expect(await books.row(mate.facts.id)).toMatchObject({ status: "pending", starts: 0 });
}, 30_000);
