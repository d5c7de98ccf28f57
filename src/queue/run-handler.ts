/** From a locked row to a handler's turn: the event as the handler sees it, its data checked, its result fit to be stored. */
import type { Config } from "../config.ts";
import { PermanentError } from "../core/errors.ts";
import { eventKeyText } from "../core/event.ts";
import { RESULT_LIMIT_BYTES, TYPE_LIMIT_BYTES } from "../core/limits.ts";
import { findRoute } from "../core/routes.ts";
import { isEarly } from "../core/settlement.ts";
import { BatchHandler, type Route, Skip, type WebhookEvent } from "../handler.ts";
import { holds } from "../providers/conditions.ts";
import type { Settled } from "../store/statements/settle.ts";
import type { LockedRow } from "../store/statements/lock.ts";
import type { Transaction } from "../store/transaction.ts";
import type { Consumer } from "./consume.ts";
import { dataOf, deliveryOf } from "./event-data.ts";

export type RunnableRow = Omit<LockedRow, "status" | "after" | "dueInMs" | "replays">;

/** Whether a handler may have its turn with this row, as it is under its lock. */
export function isRunnable(row: LockedRow): boolean {
  return row.status === "pending" && row.body !== null && !isEarly(row);
}

/** What a handler is given. Throws PermanentError where the bytes do not hold what the handler asks for: trying again cannot help. */
export async function eventOf(row: RunnableRow, route: Route): Promise<WebhookEvent> {
  const delivery = await deliveryOf(row);
  const data = dataOf(delivery);
  return {
    source: row.source,
    id: row.id,
    type: row.type,
    key: eventKeyText(row),
    receivedAt: new Date(row.receivedAtMs),
    occurredAt: row.occurredAtMs === null ? null : new Date(row.occurredAtMs),
    attempt: row.attempts + 1,
    headers: new Headers(row.headers),
    bytes: delivery.body,
    data: route.schema === null ? data : await validated(data, route.schema),
  };
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

/** What becomes of a locked row. */
export type Turn =
  /** It ends without a handler: it is meant for another deployment, is taken for a replay, or nobody handles it. */
  { readonly kind: "skip"; readonly outcome: Settled } | { readonly kind: "handler"; readonly route: Route; readonly replayOf: string | null };

export async function turnOf(row: LockedRow, replayOf: string | null, { provider: providerOf, routes }: Consumer): Promise<Turn> {
  const provider = providerOf(row.source);
  const skipped = (reason: string): Turn => ({ kind: "skip", outcome: { ...settledOf(row, replayOf), status: "skipped", reason } });
  if (provider !== null && provider.split === null && provider.only.length > 0 && !holds(provider.only, await deliveryOf(row)))
    return skipped("other_mode");
  // An operator who replays it has looked at it.
  if (replayOf !== null && provider?.suspectedReplays === "skip" && row.replays === 0) return skipped("suspected_replay");
  const route = findRoute(routes, row.source, row.type);
  return route === null ? skipped("no_handler") : { kind: "handler", route, replayOf };
}

/** A row's plain end, completed, for whoever has something to add. */
export function settledOf(row: LockedRow, suspectedReplayOf: string | null): Settled {
  const { source, id, opening } = row;
  return { source, id, opening, status: "completed", reason: null, after: "none", result: null, suspectedReplayOf };
}

/** Runs one event's handler in its turn. */
export async function runOne(transaction: Transaction, row: LockedRow, turn: Turn, config: Config): Promise<Settled> {
  if (turn.kind === "skip") return turn.outcome;
  const { route } = turn;
  const { handler } = route;
  const base = settledOf(row, turn.replayOf);
  const result = await transaction.runHandler(async (tx) => {
    const event = await eventOf(row, route);
    return handler instanceof BatchHandler ? handler.run({ events: [event], tx }) : handler.run({ event, data: event.data, tx });
  }, config.timings.handlerMs);
  if (result instanceof Skip) return { ...base, status: "skipped", reason: cleanReason(result.reason) };
  const owesAfter = !(handler instanceof BatchHandler) && handler.after !== undefined;
  return owesAfter ? { ...base, after: "owed", result: storable(result) } : base;
}

/** Runs many events of one type in one turn. */
export async function runBatch(
  transaction: Transaction,
  rows: readonly { readonly row: LockedRow; readonly replayOf: string | null }[],
  route: Route,
  handler: BatchHandler<unknown>,
  config: Config,
): Promise<Settled[]> {
  await transaction.runHandler(
    async (tx) => handler.run({ events: await Promise.all(rows.map(({ row }) => eventOf(row, route))), tx }),
    config.timings.handlerMs,
  );
  return rows.map(({ row, replayOf }) => settledOf(row, replayOf));
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
