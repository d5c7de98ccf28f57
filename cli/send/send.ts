/** Sends, waits until the ledger has settled what was acknowledged, and reports both. */
import { randomUUID } from "node:crypto";
import { secretVariable } from "../../src/config.ts";
import { eventKeyText } from "../../src/core/event.ts";
import type { Instance } from "../instance.ts";
import type { MakeSample, Sample } from "../samples/sample.ts";
import { samples } from "../samples/samples.ts";
import { loadSources } from "../sources.ts";
import { Ledger } from "./ledger.ts";
import { isExpected, planDeliveries, tally, type Delivery, type SendOptions, type Settlement } from "./plan.ts";
import { postAll } from "./post.ts";
import { Progress } from "./progress.ts";
import { forgedEvent, signedEvent, type EventSpec, type SignedEvent } from "./request.ts";

export interface SendRequest extends SendOptions {
  readonly instance: Instance;
  readonly source: string;
  readonly type: string | undefined;
  readonly file: Uint8Array | null;
  readonly id: string | undefined;
  readonly user: string;
  readonly amount: number;
  readonly reference: string | undefined;
  readonly concurrency: number;
  readonly waitSeconds: number;
}

export interface SendReport {
  readonly deliveries: number;
  readonly seconds: number;
  readonly answers: Readonly<Record<string, number>>;
  readonly unexpected: number;
  /** The first unexpected answers, in words. */
  readonly examples: readonly string[];
  readonly acknowledged: number;
  /** Null when the ledger cannot be read from here. */
  readonly events: Settlement | null;
  readonly effects: number | null;
  /** Why events were skipped, failed or are waiting, most frequent first. */
  readonly reasons: readonly string[];
  readonly ok: boolean;
}

const EXAMPLES = 3;

export async function send(request: SendRequest): Promise<SendReport> {
  const url = `${request.instance.url}/webhooks/${request.source}`;
  const make = await requestMaker(request, url);
  const deliveries = planDeliveries(request);
  const ids = new Map<number, string>();
  const progress = new Progress();
  const startedMs = Date.now();
  const answers = await postAll(
    url,
    deliveries,
    async (delivery) => {
      const event = await make(delivery);
      if (!delivery.forged) ids.set(delivery.event, event.id);
      return event;
    },
    request.concurrency,
    (done, unexpected) => progress.show(done, deliveries.length, unexpected === 0 ? "sent" : `sent, ${unexpected} unexpected answers`),
  );
  const seconds = (Date.now() - startedMs) / 1_000;

  const acknowledged = new Set(answers.filter((one) => !one.forged && isExpected(one)).map((one) => ids.get(one.event) ?? ""));
  const outcome = await outcomes(request, [...acknowledged], progress);
  progress.clear();
  const unexpected = answers.filter((one) => !isExpected(one));
  return {
    deliveries: answers.length,
    seconds,
    answers: Object.fromEntries(tally(answers.map((one) => one.outcome))),
    unexpected: unexpected.length,
    examples: unexpected
      .slice(0, EXAMPLES)
      .map((one) => `${one.forged ? "a forged delivery" : (ids.get(one.event) ?? "")}: ${one.status || "no answer"} ${one.detail}`),
    acknowledged: acknowledged.size,
    ...outcome,
    ok: unexpected.length === 0 && (outcome.events === null || outcome.events.pending === 0),
  };
}

async function outcomes(
  request: SendRequest,
  ids: readonly string[],
  progress: Progress,
): Promise<Pick<SendReport, "events" | "effects" | "reasons">> {
  if (request.instance.databaseUrl === null) return { events: null, effects: null, reasons: [] };
  await using ledger = new Ledger(request.instance.databaseUrl);
  const events = await ledger.settlement(request.source, ids, request.waitSeconds * 1_000, (now) =>
    progress.show(ids.length - now.pending, ids.length, "settled"),
  );
  // Only the example's own source credits balances: under the fact's reference, else under the event's key.
  const references = [
    ...ids.map((id) => eventKeyText({ source: request.source, id })),
    ...ids,
    ...(request.reference === undefined ? [] : [request.reference]),
  ];
  return {
    events,
    effects: request.source === "generic" ? await ledger.effects(references) : null,
    reasons: await ledger.reasons(request.source, ids, EXAMPLES),
  };
}

async function requestMaker(request: SendRequest, url: string): Promise<(delivery: Delivery) => Promise<SignedEvent>> {
  const sources = await loadSources();
  const provider = Object.hasOwn(sources, request.source) ? sources[request.source] : undefined;
  if (provider === undefined) throw new Error(`there is no source "${request.source}"; src/sources.ts has: ${Object.keys(sources).join(", ")}.`);
  const makeSample = samples[provider.name];
  if (makeSample === undefined) throw new Error(`there is no sample for the provider ${provider.name}: add cli/samples/${provider.name}.ts.`);
  const variable = secretVariable(request.source);
  const secret = (request.instance.vars[variable] ?? "").trim() || (request.instance.vars[`${variable}_NEXT`] ?? "").trim();
  if (secret === "") throw new Error(`${variable} is not set: put the source's secret into .dev.vars, or into the environment of this command.`);
  if (request.count > 1 && request.id !== undefined) throw new Error("--id names one event: leave out --count, or use --duplicates for copies.");
  if (request.count > 1 && request.file !== null && provider.id.every((one) => "json" in one)) {
    throw new Error(`--file holds one ${provider.name} event with its id: leave out --count, or use --duplicates for copies.`);
  }

  const run = randomUUID().slice(0, 8);
  // One payload for an event, as a provider has: the copies of a delivery have the same bytes.
  const payloads = new Map<string, Sample>();
  const once: MakeSample = (type, options) => {
    const made = payloads.get(options.id) ?? makeSample(type, options);
    payloads.set(options.id, made);
    return made;
  };
  const spec = (event: number): EventSpec => ({
    provider,
    makeSample: once,
    type: request.type,
    id: request.id ?? `evt_${run}_${event + 1}`,
    user: request.user,
    amount: request.amount,
    reference: request.reference,
    file: request.file,
  });
  return (delivery) =>
    delivery.forged ? forgedEvent(spec(delivery.event), url, Date.now()) : signedEvent(spec(delivery.event), url, secret, Date.now());
}
