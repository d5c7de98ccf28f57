/** A handler's turn: what it forgets, swallows, starts too late or never ends costs its own attempt, and nothing reaches the database. */
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { HandlerTimeout, PermanentError } from "../../src/core/errors.ts";
import type { Client } from "../../src/store/client.ts";
import type { Tx } from "../../src/store/guard.ts";
import { databaseFault } from "../../src/store/sqlstates.ts";
import { inTransaction } from "../../src/store/transaction.ts";
import { committed, createEffects, insert, newKey } from "./effects.ts";
import { openGate, quick, rejection } from "./gate.ts";

beforeAll(createEffects);

const DEADLINE_MS = 400;

const run = <R>(client: Client, handler: (tx: Tx) => Promise<R>, deadlineMs = DEADLINE_MS): Promise<R> =>
  inTransaction(client, quick, ({ runHandler }) => runHandler(handler, deadlineMs));

const ignore = (promise: Promise<unknown>): void => {
  promise.catch(() => {});
};

test("an honest handler commits; its tx.transaction() is a savepoint that it may lose", async () => {
  const client = (await openGate()).client();
  const [kept, lost] = [newKey(), newKey()];
  const result = await run(client, async (tx) => {
    const refused = rejection(
      tx.transaction(async (inner) => {
        await insert(inner, lost);
        await insert(inner, newKey(), "forbidden");
      }),
    );
    expect(databaseFault(await refused)).toMatchObject({ sqlstate: "23514" });
    await insert(tx, kept);
    return "done";
  });
  expect(result).toBe("done");
  expect(client.lost()).toBeNull();
  client.abandon("the test is over");
  expect(await committed(kept, lost)).toEqual([kept]);
});

describe("un-awaited", () => {
  test("two queries", async () => {
    const client = (await openGate()).client();
    const [awaited, first, second] = [newKey(), newKey(), newKey()];
    const error = await rejection(
      run(client, async (tx) => {
        await insert(tx, awaited);
        ignore(insert(tx, first).execute());
        ignore(insert(tx, second).execute());
      }),
    );
    expect(error).toMatchObject({ name: "QueriesNotAwaited", message: "2 queries were not awaited" });
    client.abandon("the test is over");
    expect(await committed(awaited, first, second)).toEqual([]);
  });

  test("a savepoint, which then does nothing to the client's next transaction", async () => {
    const gate = await openGate();
    const client = gate.client();
    const [stray, next] = [newKey(), newKey()];
    const { promise: go, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: gone, resolve: strayEnded } = Promise.withResolvers<unknown>();
    const error = await rejection(
      run(client, async (tx) => {
        const savepoint = tx.transaction(async (inner) => {
          await go;
          await insert(inner, stray);
        });
        void savepoint.then(strayEnded, strayEnded);
        await tx.execute(sql`select 1`);
      }),
    );
    expect(error).toMatchObject({ message: "1 query was not awaited" });
    await inTransaction(client, quick, async ({ db }) => {
      await db.transaction(async (inner) => {
        await insert(inner, next);
        letGo();
        expect(databaseFault(await gone)).toBeNull();
        await inner.execute(sql`select 1`);
      });
    });
    expect((await gate.state()).executed.filter((text) => text.startsWith("rollback to"))).toEqual([]);
    client.abandon("the test is over");
    expect(await committed(stray, next)).toEqual([next]);
  });
});

describe("swallowed", () => {
  const divide = sql`select 1 / ${0}::int`;

  test("an SQL error resurfaces as itself when the handler returns", async () => {
    const client = (await openGate()).client();
    const error = await rejection(run(client, (tx) => rejection(tx.execute(divide))));
    expect(databaseFault(error)).toMatchObject({ sqlstate: "22012" });
    expect(error).toMatchObject({ name: "PostgresError", message: "division by zero" });
    client.abandon("the test is over");
  });

  test("and when a later query trips over it", async () => {
    const client = (await openGate()).client();
    const error = await rejection(
      run(client, async (tx) => {
        await rejection(tx.execute(divide));
        await insert(tx, newKey());
      }),
    );
    expect(databaseFault(error)).toMatchObject({ sqlstate: "22012" });
    client.abandon("the test is over");
  });

  test("a translation stands, unless it hides an outage", async () => {
    const client = (await openGate({ kind: "fatal", at: "'marked'", sqlstate: "57P01", message: "shutting down" })).client();
    const translated = (query: ReturnType<typeof sql>) =>
      run(
        client,
        async (tx) => {
          await rejection(tx.execute(query));
          throw new PermanentError("never mind");
        },
        10 * quick.statementTimeoutMs,
      );
    expect(await rejection(translated(divide))).toBeInstanceOf(PermanentError);
    expect(databaseFault(await rejection(translated(sql`select pg_sleep(5)`)))).toMatchObject({ sqlstate: "57014" });
    expect(databaseFault(await rejection(translated(sql`select 'marked'`)))).toMatchObject({ fault: "lost" });
  });

  test("a failed handler's transaction cannot commit, whatever the caller does about it", async () => {
    const client = (await openGate()).client();
    const key = newKey();
    const own = new Error("own");
    const error = await rejection(
      inTransaction(client, quick, async ({ db, runHandler }) => {
        await insert(db, key);
        await rejection(
          runHandler(async () => {
            throw own;
          }, DEADLINE_MS),
        );
      }),
    );
    expect(error).toBe(own);
    client.abandon("the test is over");
    expect(await committed(key)).toEqual([]);
  });
});

describe("late", () => {
  test("a handler's tx is dead when its turn is over, though the transaction lives", async () => {
    const gate = await openGate();
    const client = gate.client();
    const [own, late] = [newKey(), newKey()];
    await inTransaction(client, quick, async ({ db, runHandler }) => {
      const tx = await runHandler(async (given) => {
        await insert(given, own);
        return { given };
      }, DEADLINE_MS);
      expect(await rejection(insert(tx.given, late).execute())).toMatchObject({ cause: { name: "TransactionOver" } });
      expect(await rejection(tx.given.transaction(async () => 1))).toMatchObject({ name: "TransactionOver" });
      await db.execute(sql`select 1`);
    });
    client.abandon("the test is over");
    expect(await committed(own, late)).toEqual([own]);
    expect((await gate.state()).executed.filter((text) => text.startsWith("insert"))).toHaveLength(1);
  });

  test("what waits for its turn when the handler fails is never sent", async () => {
    const gate = await openGate();
    const client = gate.client();
    await rejection(
      run(client, async (tx) => {
        ignore(tx.execute(sql`select pg_sleep(0.1)`));
        ignore(insert(tx, newKey()).execute());
        throw new Error("own");
      }),
    );
    client.abandon("the test is over");
    expect((await gate.state()).executed.filter((text) => text.startsWith("insert"))).toEqual([]);
  });
});

describe("over the deadline", () => {
  test("a handler that waits for nothing: rolled back, its client abandoned, its tx dead", async () => {
    const gate = await openGate();
    const client = gate.client();
    const [key, late] = [newKey(), newKey()];
    let kept: Tx | null = null;
    const error = await rejection(
      run(client, async (tx) => {
        kept = tx;
        await insert(tx, key);
        await new Promise(() => {});
      }),
    );
    expect(error).toBeInstanceOf(HandlerTimeout);
    expect(client.lost()).toMatchObject({ message: `abandoned: the handler did not end within ${DEADLINE_MS} ms` });
    await gate.deserted();
    if (kept !== null) expect(await rejection(insert(kept, late).execute())).toMatchObject({ cause: { name: "TransactionOver" } });
    expect(await committed(key, late)).toEqual([]);
  });

  test("a handler that swallowed an outage first", async () => {
    const client = (await openGate()).client();
    const error = await rejection(
      run(
        client,
        async (tx) => {
          await rejection(tx.execute(sql`select pg_sleep(5)`));
          await new Promise(() => {});
        },
        quick.statementTimeoutMs + 300,
      ),
    );
    expect(error).toBeInstanceOf(HandlerTimeout);
    expect(client.lost()).not.toBeNull();
  });

  test("a handler whose statement is still running", async () => {
    const gate = await openGate();
    const client = gate.client();
    const key = newKey();
    const SLEEP_SECONDS = 3;
    const startedMs = Date.now();
    const patient = { ...quick, statementTimeoutMs: 30_000 };
    const error = await rejection(
      inTransaction(client, patient, ({ runHandler }) =>
        runHandler(async (tx) => {
          await insert(tx, key);
          await tx.execute(sql`select pg_sleep(${SLEEP_SECONDS})`);
          await insert(tx, newKey());
        }, DEADLINE_MS),
      ),
    );
    expect(error).toBeInstanceOf(HandlerTimeout);
    expect(Date.now() - startedMs).toBeLessThan(SLEEP_SECONDS * 1_000);
    await gate.deserted();
    expect(await committed(key)).toEqual([]);
    expect((await gate.state()).executed.filter((text) => text.startsWith("insert"))).toHaveLength(1);
  });

  test("a handler that is done, or failed, leaves no timer behind: it would hold the invocation open", async () => {
    const set = vi.spyOn(globalThis, "setTimeout");
    const cleared = vi.spyOn(globalThis, "clearTimeout");
    const client = (await openGate()).client();
    const deadlineMs = 54_321;
    await run(client, async (tx) => tx.execute(sql`select 1`), deadlineMs);
    await rejection(run(client, () => Promise.reject(new Error("own")), deadlineMs));
    client.abandon("the test is over");
    const timers = set.mock.results.filter((_, call) => set.mock.calls[call]?.[1] === deadlineMs).map((result) => result.value);
    expect(timers).toHaveLength(2);
    // By identity: to a matcher, one timer equals another.
    const ended = new Set<unknown>(cleared.mock.calls.map(([timer]) => timer));
    expect(timers.filter((timer) => !ended.has(timer))).toHaveLength(0);
    vi.restoreAllMocks();
  });
});

test("a connection that goes does not leave a handler that waits for something else to its deadline", async () => {
  const client = (await openGate({ kind: "cut-before", at: "'marked'", how: "close" })).client();
  const error = await rejection(
    run(
      client,
      async (tx) => {
        ignore(tx.execute(sql`select 'marked'`));
        await new Promise(() => {});
      },
      30_000,
    ),
  );
  expect(databaseFault(error)).toMatchObject({ fault: "lost" });
});

test.for(["commit", "/* so */ ROLLBACK", "-- so\n commit", "begin", "savepoint mine", "select 1; commit"])(
  "a handler cannot say %s",
  async (statement) => {
    const client = (await openGate()).client();
    const key = newKey();
    await rejection(
      run(client, async (tx) => {
        await insert(tx, key);
        await tx.execute(sql.raw(statement));
      }),
    );
    client.abandon("the test is over");
    expect(await committed(key)).toEqual([]);
  },
);
