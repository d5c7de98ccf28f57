/** From a locked row to a handler's turn: the event as the handler sees it, its data checked, its result fit to be stored. */
import type { Config } from "../config.ts";
import { PermanentError } from "../core/errors.ts";
import { eventKeyText } from "../core/event.ts";
import { RESULT_LIMIT_BYTES, TYPE_LIMIT_BYTES } from "../core/limits.ts";
import { isEarly } from "../core/settlement.ts";
import { BatchHandler, type Route, Skip, type WebhookEvent } from "../handler.ts";
import type { Settled } from "../store/statements/settle.ts";
import type { LockedRow } from "../store/statements/lock.ts";
import type { Transaction } from "../store/transaction.ts";

export type RunnableRow = Omit<LockedRow, "status" | "after" | "dueInMs">;

/** Whether a handler may have its turn with this row, as it is under its lock. */
export function isRunnable(row: LockedRow): boolean {
  return row.status === "pending" && row.body !== null && !isEarly(row);
}

/** What a handler is given. Throws PermanentError where the bytes do not hold what the handler asks for: trying again cannot help. */
export async function eventOf(row: RunnableRow, route: Route): Promise<WebhookEvent> {
  const bytes = row.body ?? new Uint8Array(0);
  const data = parse(bytes);
  return {
    source: row.source,
    id: row.id,
    type: row.type,
    key: eventKeyText(row),
    receivedAt: new Date(row.receivedAtMs),
    occurredAt: row.occurredAtMs === null ? null : new Date(row.occurredAtMs),
    attempt: row.attempts + 1,
    headers: new Headers(row.headers),
    bytes,
    data: route.schema === null ? data : await validated(data, route.schema),
  };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    // The parser's own message quotes the payload.
    throw new PermanentError("the body is not JSON in UTF-8, so no handler can read it");
  }
}

async function validated(data: unknown, schema: NonNullable<Route["schema"]>): Promise<unknown> {
  const outcome = await schema["~standard"].validate(data);
  if (outcome.issues === undefined) return outcome.value;
  const issues = outcome.issues.slice(0, 5).map((issue) => {
    const path = (issue.path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".");
    return path === "" ? issue.message : `${path}: ${issue.message}`;
  });
  throw new PermanentError(`the payload does not match the handler's schema: ${issues.join("; ")}`);
}

/** Runs one event's handler in its turn. */
export async function runOne(transaction: Transaction, row: LockedRow, route: Route | null, config: Config): Promise<Settled> {
  const base = { source: row.source, id: row.id, opening: row.opening };
  if (route === null) return { ...base, status: "skipped", reason: "no_handler", after: "none", result: null };
  const { handler } = route;
  const result = await transaction.runHandler(async (tx) => {
    const event = await eventOf(row, route);
    return handler instanceof BatchHandler ? handler.run({ events: [event], tx }) : handler.run({ event, data: event.data, tx });
  }, config.timings.handlerMs);
  if (result instanceof Skip) return { ...base, status: "skipped", reason: cleanReason(result.reason), after: "none", result: null };
  const owesAfter = !(handler instanceof BatchHandler) && handler.after !== undefined;
  return { ...base, status: "completed", reason: null, after: owesAfter ? "owed" : "none", result: owesAfter ? storable(result) : null };
}

/** Runs many events of one type in one turn. */
export async function runBatch(
  transaction: Transaction,
  rows: readonly LockedRow[],
  route: Route,
  handler: BatchHandler<unknown>,
  config: Config,
): Promise<Settled[]> {
  await transaction.runHandler(
    async (tx) => handler.run({ events: await Promise.all(rows.map((row) => eventOf(row, route))), tx }),
    config.timings.handlerMs,
  );
  return rows.map((row) => ({
    source: row.source,
    id: row.id,
    opening: row.opening,
    status: "completed",
    reason: null,
    after: "none",
    result: null,
  }));
}

/** JSON that the ledger takes; what it cannot take would fail our own statement, for ever, so it is the handler's failure instead. */
function storable(result: unknown): unknown {
  let json: string | undefined;
  try {
    json = JSON.stringify(result ?? null);
  } catch (error) {
    throw new PermanentError(`the handler's result is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (json === undefined) return null;
  const bytes = new TextEncoder().encode(json).length;
  if (bytes > RESULT_LIMIT_BYTES) throw new PermanentError(`the handler's result is ${bytes} bytes of JSON, ${RESULT_LIMIT_BYTES} are kept`);
  return JSON.parse(json, (key, value: unknown) => {
    for (const text of [key, value]) {
      if (typeof text === "string" && (text.includes("\0") || !text.isWellFormed())) {
        throw new PermanentError("the handler's result holds a NUL or half a surrogate pair, which Postgres does not take");
      }
    }
    return value;
  });
}

function cleanReason(reason: string): string {
  return reason.toWellFormed().replaceAll("\0", "").slice(0, TYPE_LIMIT_BYTES);
}
