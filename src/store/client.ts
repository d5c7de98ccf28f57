/** One Postgres client per invocation, over Hyperdrive: one connection, never re-opened, never ended (the runtime closes it with the invocation). */
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import type { Timings } from "../core/timings.ts";
import { database, type GuardedClient, guardedClient } from "./guard.ts";
import { type Line, singleUseLine } from "./socket.ts";

export interface Client extends Line {
  readonly sql: GuardedClient;
  readonly db: PostgresJsDatabase;
}

/** Connects at the first query. After a loss, or after `abandon`, every query is rejected: take a new client. */
export function openClient(
  hyperdrive: Pick<Hyperdrive, "connectionString" | "connect">,
  timings: Pick<Timings, "connectTimeoutMs" | "silenceMs">,
): Client {
  const { line, socket } = singleUseLine(() => hyperdrive.connect(), { connectMs: timings.connectTimeoutMs, silenceMs: timings.silenceMs });
  const options = {
    max: 1,
    prepare: true,
    // A round trip at every start, for array types that we do not use.
    fetch_types: false,
    // The platform encrypts to the database; this end of Hyperdrive is inside the runtime.
    ssl: false,
    onnotice: () => {},
    // The line keeps time. postgres.js's own timers would outlive the connection.
    connect_timeout: 0,
    max_lifetime: null,
    idle_timeout: 0,
    socket,
  };
  const sql = guardedClient(postgres(hyperdrive.connectionString, options), line);
  return {
    sql,
    db: database(sql),
    lost: () => line.lost(),
    whenLost: line.whenLost,
    abandon: (reason) => line.abandon(reason),
  };
}
