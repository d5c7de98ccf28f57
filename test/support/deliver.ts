/** `#holdfast/test`: a signed delivery down the whole path, in workerd, against a real Postgres, in one line of a test. */
import { env, exports } from "cloudflare:workers";
import { expect } from "vitest";
import { readEvents, signed } from "../../cli/send/request.ts";
import { sampleOf } from "../../cli/send/sample.ts";
import { signingKeys } from "../../cli/source-keys.ts";
import { configOf } from "../../src/config.ts";
import { timings } from "../../src/core/timings.ts";
import type { Provider } from "../../src/providers/provider.ts";
import { sampleBytes } from "../../src/providers/sample.ts";
import type { Signed } from "../../src/schemes/scheme.ts";
import { openClient } from "../../src/store/client.ts";
import { type EventRow, readEvent } from "../../src/store/statements/read-event.ts";
import { sources } from "#app";
import type { Route } from "#holdfast";
import { control } from "./control.ts";
import { layOver } from "./lay-over.ts";

export interface DeliverOptions {
  /** How many times the same request is posted, all at once. */
  readonly times?: number;
  /** The handlers of this test; without, those of src/handlers. */
  readonly handlers?: readonly Route[];
  /** `attempted`: also the first counted failure ends the wait. `settled`: every retry is waited for (TIMINGS=fast makes them seconds). */
  readonly until?: "attempted" | "settled";
  readonly timeoutMs?: number;
}

/** What became of one event. */
export interface DeliveredEvent {
  readonly id: string;
  /** The event's status in the ledger: completed, skipped, failed; pending after a first failure. */
  readonly status: EventRow["status"];
  readonly reason: string | null;
  readonly attempts: number;
  readonly error: string | null;
  readonly after: EventRow["after"];
}

/** Of the delivery's only event; where it carried several (or none), of the delivery itself. */
export interface Delivered extends DeliveredEvent {
  /** In the order in which the delivery carries them; one, but for providers that send several at once. */
  readonly events: readonly DeliveredEvent[];
  /** `holdfast-status` of every answer, sorted. */
  readonly answers: readonly string[];
}

/**
 * Posts a signed event of this source and type. `sample` is laid over a realistic payload, as your handler gets it: objects are merged, anything else
 * is replaced. For a provider that sends several events in one delivery it is laid over each of them; a list takes their place, one for each element.
 */
export async function deliver(source: string, type: string, sample: object = {}, options: DeliverOptions = {}): Promise<Delivered> {
  const provider = (sources as Readonly<Record<string, Provider>>)[source];
  if (provider === undefined) throw new Error(`deliver: there is no source "${source}"; there are ${Object.keys(sources).join(", ")}`);
  const before = { ...control };
  if (options.handlers !== undefined) control.handlers = options.handlers;
  control.queue = (_batch, run) => run();
  try {
    const made = await signedDelivery(source, provider, type, sample);
    const read = await readEvents(provider, made);
    const answers = await Promise.all(Array.from({ length: options.times ?? 1 }, () => exports.default.fetch(requestOf(made))));
    const outcomes = answers.map((answer) => answer.headers.get("holdfast-status") ?? String(answer.status)).toSorted();
    const isRefused = outcomes.every((outcome) => outcome === "rejected" || outcome === "handshake");
    if (isRefused) throw new Error(`deliver: ${source} ${read.id} was not accepted: ${answers[0]?.status ?? ""} ${(await answers[0]?.text()) ?? ""}`);
    const delivery = told(await ended(source, read.id, options));
    const ids = read.events.map(({ id }) => id);
    const events = provider.split === null ? [delivery] : (await Promise.all(ids.map((id) => ended(source, id, options)))).map(told);
    const [only] = events;
    return { ...(only !== undefined && events.length === 1 ? only : delivery), events, answers: outcomes };
  } finally {
    Object.assign(control, before);
  }
}

/** The body of a source's sample with another laid over it, signed as its provider signs. Private halves of keys: vitest.config.ts. */
async function signedDelivery(source: string, provider: Provider, type: string, sample: object): Promise<Signed> {
  const id = `test_${crypto.randomUUID()}`;
  const base = layOver(provider.split?.items ?? null, sampleOf(provider)(type, { id, user: "user_1", amount: 500 }), sample);
  const keys = await signingKeys(source, provider, env as unknown as Readonly<Record<string, unknown>>).catch((cause: unknown) => {
    throw new Error(`deliver: ${source} has no keys in the tests (vitest.config.ts)`, { cause });
  });
  const url = `${configOf(env).publicBaseUrl ?? ORIGIN}/webhooks/${source}`;
  return signed({ provider, sample: base, body: sampleBytes(base), id, url, timestampMs: Date.now() }, keys);
}

const ORIGIN = "http://localhost";

/** At the Worker's own address, whatever was signed. */
function requestOf({ method, url, headers, body }: Signed): Request {
  const base = configOf(env).publicBaseUrl ?? ORIGIN;
  return new Request(`${ORIGIN}${url.slice(base.length)}`, { method, headers, body });
}

const told = ({ id, status, reason, attempts, lastError, after }: EventRow): DeliveredEvent => ({
  id,
  status,
  reason,
  attempts,
  error: lastError,
  after,
});

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
