/** `#holdfast/test`: a signed delivery down the whole path, in workerd, against a real Postgres, in one line of a test. */
import { env, exports } from "cloudflare:workers";
import { expect } from "vitest";
import { samples } from "../../cli/samples/samples.ts";
import { secretVariable } from "../../src/config.ts";
import { timings } from "../../src/core/timings.ts";
import { identify } from "../../src/ingest/identify.ts";
import type { Provider } from "../../src/providers/provider.ts";
import { sign } from "../../src/schemes/scheme.ts";
import { openClient } from "../../src/store/client.ts";
import { type EventRow, readEvent } from "../../src/store/statements/read-event.ts";
import { sources } from "#app";
import type { Route } from "#holdfast";
import { control } from "./control.ts";

export interface DeliverOptions {
  /** How many times the same request is posted, all at once. */
  readonly times?: number;
  /** The handlers of this test; without, those of src/handlers. */
  readonly handlers?: readonly Route[];
  /** `attempted`: also the first counted failure ends the wait. `settled`: every retry is waited for (TIMINGS=fast makes them seconds). */
  readonly until?: "attempted" | "settled";
  readonly timeoutMs?: number;
}

export interface Delivered {
  readonly id: string;
  /** The event's status in the ledger: completed, skipped, failed; pending after a first failure. */
  readonly status: EventRow["status"];
  readonly reason: string | null;
  readonly attempts: number;
  readonly error: string | null;
  readonly after: EventRow["after"];
  /** `holdfast-status` of every answer, sorted. */
  readonly answers: readonly string[];
}

/** Posts a signed event of this source and type. `sample` is laid over a realistic payload, or is the whole of it if it holds an `id`. */
export async function deliver(source: string, type: string, sample: object = {}, options: DeliverOptions = {}): Promise<Delivered> {
  const provider = (sources as Readonly<Record<string, Provider>>)[source];
  if (provider === undefined) throw new Error(`deliver: there is no source "${source}"; there are ${Object.keys(sources).join(", ")}`);
  const before = { ...control };
  if (options.handlers !== undefined) control.handlers = options.handlers;
  control.queue = (_batch, run) => run();
  try {
    const request = await signed(source, provider, type, sample);
    const answers = await Promise.all(Array.from({ length: options.times ?? 1 }, () => exports.default.fetch(request.clone())));
    const outcomes = answers.map((answer) => answer.headers.get("holdfast-status") ?? String(answer.status)).toSorted();
    const identity = identify(provider, request.headers, new Uint8Array(await request.arrayBuffer()));
    if (!identity.ok) throw new Error(`deliver: the sample has no usable id (${identity.failure})`);
    const row = await ended(source, identity.value.id, options);
    return { id: row.id, status: row.status, reason: row.reason, attempts: row.attempts, error: row.lastError, after: row.after, answers: outcomes };
  } finally {
    Object.assign(control, before);
  }
}

async function signed(source: string, provider: Provider, type: string, sample: object): Promise<Request> {
  const id = `test_${crypto.randomUUID()}`;
  const base = samples[provider.name]?.(type, { id, user: "user_1", amount: 500 }) ?? { body: { id, type }, headers: {} };
  const body = new TextEncoder().encode(JSON.stringify(laidOver(base.body, sample)));
  const secret: unknown = Reflect.get(env, secretVariable(source));
  if (typeof secret !== "string") throw new Error(`deliver: ${secretVariable(source)} is not set for the tests (vitest.config.ts)`);
  const url = `http://localhost/webhooks/${source}`;
  const headers = await sign(provider.scheme, { method: "POST", url, id, timestampMs: Date.now(), body }, secret);
  return new Request(url, { method: "POST", body, headers: { ...base.headers, ...headers } });
}

/** Objects are merged, everything else is replaced. */
function laidOver(base: unknown, over: unknown): unknown {
  if (!isPlain(base) || !isPlain(over)) return over;
  return Object.fromEntries(
    [...new Set([...Object.keys(base), ...Object.keys(over)])].map((key) => [key, key in over ? laidOver(base[key], over[key]) : base[key]]),
  );
}

const isPlain = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

async function ended(source: string, id: string, { until = "attempted", timeoutMs = 20_000 }: DeliverOptions): Promise<EventRow> {
  let row: EventRow | null = null;
  // One connection for the whole wait: in a test none is closed before its file ends.
  const client = openClient(env.HYPERDRIVE, timings("fast"));
  await expect
    .poll(
      async () => {
        row = await readEvent(client.db, { source, id });
        if (row === null) return "not recorded yet";
        if (row.status === "pending") return until === "attempted" && row.attempts > 0 ? "ended" : "pending";
        return row.after === "owed" && (until === "settled" || row.afterAttempts === 0) ? "its after is owed" : "ended";
      },
      { timeout: timeoutMs, message: `${source} ${id}` },
    )
    .toBe("ended")
    .finally(() => client.abandon("deliver is over"));
  if (row === null) throw new Error(`deliver: ${source} ${id} never reached the ledger`);
  return row;
}
