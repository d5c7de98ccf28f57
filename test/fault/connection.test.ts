/** A connection that never comes, or goes, is one ConnectionLost, at once, whoever waits; and it is never tried again. */
import { sql } from "drizzle-orm";
import { describe, expect, inject, test } from "vitest";
import { openClient } from "../../src/store/client.ts";
import { ConnectionLost } from "../../src/store/socket.ts";
import { databaseFault } from "../../src/store/sqlstates.ts";
import type { Fault } from "../support/fault-proxy.ts";
import { impatient, openGate, quick, rejection } from "./gate.ts";

const one = sql`select 1 as one`;

/** The loss in what Drizzle threw. */
const lossIn = (error: unknown): unknown => (error instanceof Error ? (error.cause ?? error) : error);

describe("no connection", () => {
  const faults: readonly (readonly [string, Fault])[] = [
    ["refused", { kind: "refuse" }],
    ["accepted and closed", { kind: "close" }],
    ["accepted and reset", { kind: "reset" }],
    ["accepted and never answered", { kind: "silence" }],
  ];
  test.for(faults)("%s", async ([, fault]) => {
    const gate = await openGate(fault);
    const limits = fault.kind === "silence" ? impatient : quick;
    const client = gate.client(limits);
    const first = await rejection(client.db.execute(one));
    expect(lossIn(first)).toBeInstanceOf(ConnectionLost);
    expect(client.lost()).toBe(lossIn(first));
    if (fault.kind === "silence") expect(client.lost()).toMatchObject({ message: `no answer within ${impatient.connectTimeoutMs} ms` });
    // Stock postgres.js reconnects for ever, or leaves the second query waiting for ever.
    expect(lossIn(await rejection(client.db.execute(one)))).toBeInstanceOf(ConnectionLost);
    expect(await rejection(client.sql.begin(async () => 1))).toBeInstanceOf(ConnectionLost);
    // By the time that three more clients have failed, nothing has been tried twice.
    for (let more = 0; more < 3; more += 1) await rejection(gate.client(limits).db.execute(one));
    expect((await gate.state()).connections).toBe(fault.kind === "refuse" ? 0 : 4);
  });

  test("a binding that throws", async () => {
    const broken = {
      connectionString: inject("faultDatabaseUrl"),
      connect: () => {
        throw new Error("no such binding");
      },
    };
    const client = openClient(broken, quick);
    expect(lossIn(await rejection(client.db.execute(one)))).toMatchObject({ name: "ConnectionLost", cause: { message: "no such binding" } });
    expect(lossIn(await rejection(client.db.execute(one)))).toBe(client.lost());
  });

  test("too many connections: the server's reason arrives, and a second query does not wait for ever", async () => {
    const gate = await openGate({ kind: "fatal-start", sqlstate: "53300", message: "sorry, too many clients already" });
    const client = gate.client();
    // Not awaited one by one: the second one meets postgres.js between the error and the end of the line.
    const [first, second] = await Promise.all([rejection(client.db.execute(one)), rejection(client.db.execute(one))]);
    expect(databaseFault(first)).toMatchObject({ fault: "outage", sqlstate: "53300" });
    expect(lossIn(second)).toBeInstanceOf(ConnectionLost);
    expect(lossIn(second)).toMatchObject({ sqlstate: "53300" });
    expect((await gate.state()).connections).toBe(1);
  });
});

describe("a connection that goes", () => {
  test("a statement that the server ends with 57P01 keeps its reason", async () => {
    const gate = await openGate({ kind: "fatal", at: "'marked'", sqlstate: "57P01", message: "terminating connection due to administrator command" });
    const client = gate.client();
    await client.db.execute(one);
    const lost = lossIn(await rejection(client.db.execute(sql`select 'marked'`)));
    expect(lost).toBeInstanceOf(ConnectionLost);
    expect(lost).toMatchObject({ sqlstate: "57P01", message: "closed by the server: terminating connection due to administrator command" });
  });

  test("a backend that is really terminated says so", async () => {
    const gate = await openGate();
    const [client, other] = [gate.client(), gate.client()];
    const [row] = await client.db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await other.db.execute(sql`select pg_terminate_backend(${row?.pid ?? 0}::int)`);
    expect(await client.whenLost).toMatchObject({ sqlstate: "57P01" });
    other.abandon("the test is over");
  });

  test.for(["close", "reset"] as const)("%s while an answer is awaited", async (how) => {
    const client = (await openGate({ kind: "cut-before", at: "'marked'", how })).client();
    expect(lossIn(await rejection(client.db.execute(sql`select 'marked'`)))).toBeInstanceOf(ConnectionLost);
  });

  test.for([0, 20])("silence after %i bytes of the answer", async (answeredBytes) => {
    const gate = await openGate({ kind: "cut-after", at: "generate_series", how: "silence", answeredBytes });
    const client = gate.client(impatient);
    await client.db.execute(one);
    const lost = lossIn(await rejection(client.db.execute(sql`select * from generate_series(1, 100)`)));
    expect(lost).toMatchObject({ name: "ConnectionLost", message: `no answer within ${impatient.silenceMs} ms` });
    await gate.deserted();
  });

  test("an idle connection is not silent", async () => {
    const client = (await openGate()).client(impatient);
    await client.db.execute(one);
    const { promise: later, resolve } = Promise.withResolvers<string>();
    setTimeout(() => resolve("still there"), 2 * impatient.silenceMs);
    expect(await Promise.race([client.whenLost, later])).toBe("still there");
    client.abandon("the test is over");
  });

  test("abandon ends it at once, for everyone who waits", async () => {
    const gate = await openGate();
    const client = gate.client();
    await client.db.execute(one);
    const waiting = [rejection(client.db.execute(sql`select pg_sleep(5)`)), rejection(client.db.execute(one))];
    client.abandon("enough");
    for (const error of await Promise.all(waiting)) expect(lossIn(error)).toMatchObject({ name: "ConnectionLost", message: "abandoned: enough" });
    await gate.deserted();
  });
});
