/** A transaction that is cut, refused or broken rolls back, says the first reason, and leaves nobody waiting. */
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/store/client.ts";
import { ConnectionLost, CommitUnknown } from "../../src/store/socket.ts";
import { databaseFault } from "../../src/store/sqlstates.ts";
import { inTransaction } from "../../src/store/transaction.ts";
import { committed, createEffects, insert, newKey } from "./effects.ts";
import { impatient, openGate, quick, rejection } from "./gate.ts";

beforeAll(createEffects);

/** Inserts one effect in a transaction, and then sends `marked`. */
const insertThenMark = (client: Client, key: string) =>
  inTransaction(client, quick, async ({ db }) => {
    await insert(db, key);
    await db.execute(sql`select 'marked'`);
  });

test("commits, with limits that end with it", async () => {
  const gate = await openGate();
  const client = gate.client();
  const key = newKey();
  const limits = sql`select current_setting('statement_timeout') || current_setting('lock_timeout') || current_setting('idle_in_transaction_session_timeout') as v`;
  const inside = await inTransaction(client, quick, async ({ db }) => {
    await insert(db, key);
    return db.execute(limits);
  });
  expect([...inside]).toEqual([{ v: "500ms400ms600ms" }]);
  expect([...(await client.db.execute(limits))]).toEqual([{ v: "000" }]);
  client.abandon("the test is over");
  expect(await committed(key)).toEqual([key]);
});

describe("cut in the middle", () => {
  test.for(["close", "reset", "silence"] as const)("%s", async (how) => {
    const gate = await openGate({ kind: "cut-before", at: "'marked'", how });
    const client = gate.client(impatient);
    const key = newKey();
    const error = await rejection(insertThenMark(client, key));
    expect(databaseFault(error)).toMatchObject({ fault: "lost" });
    expect(error).not.toBeInstanceOf(CommitUnknown);
    expect(await committed(key)).toEqual([]);
    expect(await rejection(insertThenMark(client, key))).toBe(client.lost());
    await gate.deserted();
  });

  test("while work is at something else: it goes on to its next query, and fails there", async () => {
    const gate = await openGate({ kind: "cut-before", at: "'marked'", how: "close" });
    const client = gate.client();
    const key = newKey();
    let reached = 0;
    const error = await rejection(
      inTransaction(client, quick, async ({ db }) => {
        await insert(db, key);
        await rejection(db.execute(sql`select 'marked'`));
        // By now postgres.js has been told of everything: stock, it throws in a timer if it is made to roll back now.
        await gate.deserted();
        reached += 1;
        await insert(db, newKey());
      }),
    );
    expect(databaseFault(error)).toMatchObject({ fault: "lost" });
    expect(reached).toBe(1);
    expect(await committed(key)).toEqual([]);
  });

  test("queries that wait for their turn are told too", async () => {
    const client = (await openGate({ kind: "cut-before", at: "'marked'", how: "close" })).client();
    const settled = await inTransaction(client, quick, ({ db }) =>
      Promise.allSettled([db.execute(sql`select 'marked'`), db.execute(sql`select 2`), db.execute(sql`select ${3}::int`)]),
    ).catch((error: unknown) => error);
    expect(databaseFault(settled)).toMatchObject({ fault: "lost" });
  });
});

describe("commit", () => {
  test.for(["close", "reset", "silence"] as const)("%s before it reached the server: unknown, and not there", async (how) => {
    const client = (await openGate({ kind: "cut-before", at: "commit", how })).client(impatient);
    const key = newKey();
    const error = await rejection(insertThenMark(client, key));
    expect(error).toBeInstanceOf(CommitUnknown);
    expect(error).toBeInstanceOf(ConnectionLost);
    expect(await committed(key)).toEqual([]);
  });

  test.for(["close", "reset", "silence"] as const)("%s before its answer arrived: unknown, and there", async (how) => {
    const client = (await openGate({ kind: "cut-after", at: "commit", how, answeredBytes: 0 })).client(impatient);
    const key = newKey();
    expect(await rejection(insertThenMark(client, key))).toBeInstanceOf(CommitUnknown);
    expect(await committed(key)).toEqual([key]);
  });
});

test("a commit that a deferred constraint refuses is known, and says why", async () => {
  const client = (await openGate()).client();
  const key = newKey();
  const error = await rejection(
    inTransaction(client, quick, async ({ db }) => {
      await insert(db, key);
      await db.execute(sql`create temp table twice (a int unique deferrable initially deferred) on commit drop`);
      await db.execute(sql`insert into twice values (1), (1)`);
    }),
  );
  expect(databaseFault(error)).toMatchObject({ sqlstate: "23505", constraint: "twice_a_key" });
  expect(client.lost()).toBeNull();
  client.abandon("the test is over");
  expect(await committed(key)).toEqual([]);
});

describe("the first error is the one that is reported", () => {
  test("the pool's refusal of BEGIN", async () => {
    const client = (
      await openGate({ kind: "fatal", at: "begin", sqlstate: "58000", message: "Failed to acquire a connection from the pool." })
    ).client();
    await client.db.execute(sql`select 1`);
    const error = await rejection(insertThenMark(client, newKey()));
    expect(databaseFault(error)).toMatchObject({ sqlstate: "58000" });
    expect(error).not.toBeInstanceOf(CommitUnknown);
  });

  test("a rollback that fails hides nothing", async () => {
    const client = (await openGate({ kind: "cut-before", at: "rollback", how: "close" })).client();
    const own = new Error("own");
    const key = newKey();
    const error = await rejection(
      inTransaction(client, quick, async ({ db }) => {
        await insert(db, key);
        throw own;
      }),
    );
    expect(error).toBe(own);
    expect(client.lost()).not.toBeNull();
    expect(await committed(key)).toEqual([]);
  });

  test("the server's timeouts leave the client usable", async () => {
    const client = (await openGate()).client();
    const slow = await rejection(inTransaction(client, quick, ({ db }) => db.execute(sql`select pg_sleep(5)`)));
    expect(databaseFault(slow)).toMatchObject({ sqlstate: "57014" });
    expect(client.lost()).toBeNull();
    const key = newKey();
    await insertThenMark(client, key);
    client.abandon("the test is over");
    expect(await committed(key)).toEqual([key]);
  });

  test("a parameter that cannot be sent", async () => {
    const client = (await openGate()).client();
    const error = await rejection(inTransaction(client, quick, ({ sql: scoped }) => scoped.unsafe("select $1::text", [undefined])));
    expect(error).toMatchObject({ code: "UNDEFINED_VALUE" });
    await client.db.execute(sql`select 1`);
    client.abandon("the test is over");
  });

  test("a transaction that idles is ended by the server, which says so", async () => {
    const client = (await openGate()).client();
    const error = await rejection(
      inTransaction(client, quick, async ({ db }) => {
        await client.whenLost;
        await db.execute(sql`select 1`);
      }),
    );
    expect(databaseFault(error)).toMatchObject({ fault: "overslept", sqlstate: "25P03" });
  });
});

describe("whoever is outside stays outside", () => {
  test("a query of the client while its transaction is open is refused instead of waiting for ever", async () => {
    const client = (await openGate()).client();
    await inTransaction(client, quick, async ({ db }) => {
      expect(await rejection(client.db.execute(sql`select 1`))).toMatchObject({ cause: { name: "StatementRefused" } });
      expect(await rejection(client.sql.begin(async () => 1))).toMatchObject({ name: "StatementRefused" });
      await db.execute(sql`select 1`);
    });
    await client.db.execute(sql`select 1`);
    client.abandon("the test is over");
  });

  test("a query after the transaction is rejected and never sent", async () => {
    const gate = await openGate();
    const client = gate.client();
    const db = await inTransaction(client, quick, async (transaction) => transaction.db);
    expect(await rejection(db.execute(sql`select 'late'`))).toMatchObject({ cause: { name: "TransactionOver" } });
    await client.db.execute(sql`select 'flushed'`);
    expect((await gate.state()).executed).not.toContain("select 'late'");
    client.abandon("the test is over");
  });
});
