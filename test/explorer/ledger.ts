/** Pure. Thin mirrors of the statements in src/store/statements: their `where` clauses on one row, and nothing else. test/integration proves the SQL itself. */
import { type EventMessage } from "../../src/core/message.ts";
import { EARLY_TOLERANCE_MS, type RowSeen } from "../../src/core/settlement.ts";
import { type Bytes, bytesIn, bytesNamed, type Row } from "./world.ts";

export interface Recorded {
  readonly row: Row;
  readonly seen: RowSeen & { readonly opening: number; readonly attempts: number };
}

const isDue = (row: Row): boolean => row.dueInMs <= EARLY_TOLERANCE_MS;

/** record.ts */
export function record(row: Row | null, message: EventMessage): Recorded {
  const digest = bytesNamed(message.facts.digest);
  const lengthOf = (body: Bytes | null): number | null => (body === null ? null : message.facts.bytesLength);
  if (row === null) {
    const body = bytesIn(message);
    const { opening } = message;
    const added: Row = {
      status: "pending",
      after: "none",
      opening,
      attempts: 0,
      afterAttempts: 0,
      starts: 1,
      leased: false,
      body,
      digest,
      dueInMs: 0,
    };
    return {
      row: added,
      seen: { status: "pending", after: "none", unfinishedStarts: 0, bodyBytes: lengthOf(body), dueInMs: 0, opening, attempts: 0 },
    };
  }
  const reopens = row.status === "failed" && row.opening < message.opening;
  const isPending = row.status === "pending";
  const takesBody = row.body === null && message.bytes !== null && (isPending || reopens);
  const reopened: Row = reopens
    ? { ...row, status: "pending", opening: message.opening, attempts: 0, starts: 1, leased: false, dueInMs: 0 }
    : { ...row, starts: isPending && isDue(row) ? Math.max(row.starts, 1) : row.starts };
  const next: Row = takesBody ? { ...reopened, body: digest, digest } : reopened;
  const seen = {
    status: next.status,
    after: row.after,
    unfinishedStarts: reopens ? 0 : row.starts,
    bodyBytes: lengthOf(next.body),
    dueInMs: next.dueInMs,
    opening: next.opening,
    attempts: next.attempts,
  };
  return { row: next, seen };
}

/** admit.ts */
export function admit(row: Row | null, bytes: Bytes, opening: number): { readonly row: Row; readonly isOpen: boolean } {
  if (row === null) {
    const added: Row = {
      status: "pending",
      after: "none",
      opening,
      attempts: 0,
      afterAttempts: 0,
      starts: 0,
      leased: false,
      body: bytes,
      digest: bytes,
      dueInMs: 0,
    };
    return { row: added, isOpen: true };
  }
  const takes = row.body === null && (row.status === "pending" || row.status === "failed");
  return { row: takes ? { ...row, body: bytes, digest: bytes } : row, isOpen: row.status !== "failed" };
}

/** start.ts */
export function start(row: Row): Row | null {
  return row.status === "pending" && isDue(row) && !row.leased ? { ...row, starts: row.starts + 1, leased: true } : null;
}

/** start.ts: endStarts */
export function endStarts(row: Row, starts: number, left: 0 | 1): Row {
  return row.status === "pending" && row.starts === starts ? { ...row, starts: left, leased: false } : row;
}

/** body.ts */
export function storeBody(row: Row, bytes: Bytes): Row {
  return row.status === "pending" && row.body === null ? { ...row, body: bytes, digest: bytes } : row;
}

/** settle.ts; null: the row is not what was seen under its lock, and the transaction fails. */
export function settle(row: Row, opening: number, status: "completed" | "skipped", after: "none" | "owed"): Row | null {
  if (row.status !== "pending" || row.opening !== opening) return null;
  return { ...row, status, after, starts: 0, leased: false, afterAttempts: 0 };
}

/** fail.ts */
export function fail(
  row: Row,
  failure: { readonly opening: number; readonly dead: boolean; readonly delayMs: number; readonly unlessBody: boolean },
): Row | null {
  if (row.status !== "pending" || row.opening !== failure.opening || (row.body !== null && failure.unlessBody)) return null;
  return {
    ...row,
    attempts: row.attempts + 1,
    starts: 0,
    leased: false,
    status: failure.dead ? "failed" : "pending",
    dueInMs: failure.delayMs,
  };
}

/** after.ts */
export function beginAfter(row: Row): Row | null {
  return row.status === "completed" && row.after === "owed" && !row.leased ? { ...row, afterAttempts: row.afterAttempts + 1, leased: true } : null;
}

export function endAfter(row: Row): Row {
  return row.after === "owed" ? { ...row, after: "done", leased: false } : row;
}

export function failAfter(row: Row, dead: boolean, delayMs: number): Row {
  return row.after === "owed" ? { ...row, after: dead ? "failed" : "owed", leased: false, dueInMs: delayMs } : row;
}

/** replay.ts */
export function replay(row: Row, nowMs: number): Row | null {
  const isAfter = row.status === "completed" && row.after === "failed";
  if (row.body === null || !(row.status === "failed" || row.status === "skipped" || isAfter)) return null;
  return {
    ...row,
    status: isAfter ? row.status : "pending",
    opening: Math.max(row.opening + 1, nowMs),
    attempts: isAfter ? row.attempts : 0,
    starts: 0,
    leased: false,
    after: isAfter ? "owed" : "none",
    afterAttempts: 0,
    dueInMs: 0,
  };
}

/** sweep.ts; its ages are the explorer's "nothing moves". */
export function isSwept(row: Row): boolean {
  return (row.status === "pending" || row.after === "owed") && row.dueInMs <= 0;
}
