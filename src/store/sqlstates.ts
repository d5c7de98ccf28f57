/** Pure. What a database error says about whose fault it is: the one table of SQLSTATEs and of lost connections. */
import { chainOf, textOf } from "./error-chain.ts";

export type Fault =
  /** The connection is gone. */
  | "lost"
  /** The database is down, full, failing over, being changed, or chose this transaction as a victim. */
  | "outage"
  /** Somebody else's lock, or a slow database; or the handler's own slow statement. */
  | "contention"
  /** The transaction was idle for so long that the server ended it. */
  | "overslept"
  /** The data cannot be stored as it is. */
  | "data"
  | "other";

interface Row {
  /** A whole SQLSTATE, or the beginning of those of a class. */
  readonly begins: string;
  readonly fault: Fault;
  readonly what: string;
  /** Where the SQLSTATE alone says too little. */
  readonly message?: RegExp;
}

/** The first row that fits decides; no row: "other". Documented at postgresql.org/docs/current/errcodes-appendix.html. */
export const SQLSTATES: readonly Row[] = [
  { begins: "08", fault: "outage", what: "connection exception" },
  { begins: "53", fault: "outage", what: "insufficient resources: disk, memory, connections" },
  { begins: "57P0", fault: "outage", what: "shut down, crashed, starting, dropped" },
  { begins: "58", fault: "outage", what: "system error; Hyperdrive's pool" },
  { begins: "40001", fault: "outage", what: "serialization failure" },
  { begins: "40P01", fault: "outage", what: "deadlock" },
  { begins: "25006", fault: "outage", what: "read only: a failover is under way" },
  { begins: "0A000", fault: "outage", what: "a migration changed what a prepared statement returns", message: /cached plan/i },
  { begins: "26000", fault: "outage", what: "the pooler has lost a prepared statement" },
  { begins: "42P05", fault: "outage", what: "the pooler already has a prepared statement" },
  { begins: "28", fault: "outage", what: "credentials refused" },
  { begins: "3D", fault: "outage", what: "no such database" },
  { begins: "XX000", fault: "outage", what: "internal error" },
  { begins: "57014", fault: "contention", what: "statement timeout, or cancelled" },
  { begins: "55P03", fault: "contention", what: "lock timeout" },
  { begins: "25P03", fault: "overslept", what: "idle in transaction for too long" },
  { begins: "22", fault: "data", what: "data exception" },
  { begins: "23502", fault: "data", what: "not null" },
];

/** Codes that postgres.js and the single-use socket give to a connection that is gone or never came. */
const LOST_CODES = new Set(["CONNECTION_LOST", "CONNECTION_CLOSED", "CONNECTION_DESTROYED", "CONNECTION_ENDED", "CONNECT_TIMEOUT"]);

/** Hyperdrive's, which reach a client with or without a SQLSTATE. */
const POOL_TIMEOUT = /acquire a connection from the pool/i;

const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;

export interface DatabaseFault {
  readonly fault: Fault;
  readonly sqlstate: string | null;
  readonly constraint: string | null;
}

/** What one error says by itself; null where it did not come from the database. */
function faultOf(error: unknown): DatabaseFault | null {
  const code = textOf(error, "code");
  const message = textOf(error, "message") ?? "";
  if (code !== null && LOST_CODES.has(code)) {
    const sqlstate = textOf(error, "sqlstate");
    return { fault: sqlstate === "25P03" ? "overslept" : "lost", sqlstate, constraint: null };
  }
  if (textOf(error, "name") === "PostgresError" && code !== null && SQLSTATE.test(code)) {
    const row = SQLSTATES.find(({ begins, message: fits }) => code.startsWith(begins) && (fits === undefined || fits.test(message)));
    return { fault: row?.fault ?? "other", sqlstate: code, constraint: textOf(error, "constraint_name") };
  }
  return POOL_TIMEOUT.test(message) ? { fault: "outage", sqlstate: null, constraint: null } : null;
}

const PRECEDENCE: readonly Fault[] = ["overslept", "lost", "outage", "contention"];

/** The fault in an error's chain: whatever passes by itself first, else the nearest. */
export function databaseFault(error: unknown): DatabaseFault | null {
  const faults = chainOf(error)
    .map(faultOf)
    .filter((fault) => fault !== null);
  return PRECEDENCE.map((kind) => faults.find(({ fault }) => fault === kind)).find((fault) => fault !== undefined) ?? faults[0] ?? null;
}

/** Not the event's fault, whatever a handler made of it. */
export function isOutage(error: unknown): boolean {
  const fault = databaseFault(error)?.fault;
  return fault !== undefined && PRECEDENCE.includes(fault);
}

/** A statement after a failed one: it hides the reason. */
export function isInFailedTransaction(error: unknown): boolean {
  return databaseFault(error)?.sqlstate === "25P02";
}
