/** Sends, waits until the ledger has settled what was acknowledged, and reports both. */
import { randomUUID } from "node:crypto";
import { eventKeyText } from "../../src/core/event.ts";
import { sampleBytes } from "../../src/providers/sample.ts";
import type { Signed } from "../../src/schemes/scheme.ts";
import type { Instance } from "../instance.ts";
import { signingKeys } from "../source-keys.ts";
import { loadSources, type NamedSources } from "../sources.ts";
import { Ledger } from "./ledger.ts";
import { isExpected, planDeliveries, tally, type Answer, type Delivery, type SendOptions, type Settlement } from "./plan.ts";
import { postAll } from "./post.ts";
import { Progress } from "../progress.ts";
import { readEvents, signed, type Read } from "./request.ts";
import { sampleOf } from "./sample.ts";
import { impossible, signedAtMs, tampered, wrongKeys, type Variant } from "./variant.ts";

export interface SendRequest extends SendOptions {
  readonly instance: Instance;
  readonly source: string;
  readonly type: string | undefined;
  readonly file: Uint8Array | null;
  readonly id: string | undefined;
  readonly user: string;
  readonly amount: number;
  readonly reference: string | undefined;
  /** Signs with the source's second secret. */
  readonly rotate: boolean;
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
  /** Events whose delivery was accepted: several for each where the provider sends several in one. */
  readonly acknowledged: number;
  /** Null when the ledger cannot be read from here. */
  readonly events: Settlement | null;
  readonly effects: number | null;
  /** Why events were skipped, failed or are waiting, most frequent first. */
  readonly reasons: readonly string[];
  readonly ok: boolean;
}

const EXAMPLES = 3;

export async function send(request: SendRequest, sources?: NamedSources): Promise<SendReport> {
  const make = await requestMaker(request, sources ?? (await loadSources()));
  const deliveries = planDeliveries(request);
  const made = new Map<number, Read>();
  const progress = new Progress();
  const startedMs = Date.now();
  const answers = await postAll(
    deliveries,
    async (delivery) => {
      const { read, signed } = await make(delivery);
      made.set(delivery.event, read);
      return signed;
    },
    request.concurrency,
    (done, unexpected) => progress.show(done, deliveries.length, unexpected === 0 ? "sent" : `sent, ${unexpected} unexpected answers`),
  );
  const seconds = (Date.now() - startedMs) / 1_000;

  const accepted = new Set(answers.filter((one) => one.variant === null && isExpected(one)).map((one) => one.event));
  const reads = [...accepted].flatMap((event) => made.get(event) ?? []);
  const acknowledged = [...new Set(reads.flatMap((read) => read.events.map(({ id }) => id)))];
  const outcome = await outcomes(
    request,
    acknowledged,
    reads.map(({ id }) => id),
    progress,
  );
  progress.clear();
  const unexpected = answers.filter((one) => !isExpected(one));
  return {
    deliveries: answers.length,
    seconds,
    answers: Object.fromEntries(tally(answers.map((one) => one.outcome))),
    unexpected: unexpected.length,
    examples: unexpected.slice(0, EXAMPLES).map((one) => `${subjectOf(one, made)}: ${one.status || "no answer"} ${one.detail}`),
    acknowledged: acknowledged.length,
    ...outcome,
    ok: unexpected.length === 0 && (outcome.events === null || outcome.events.pending === 0),
  };
}

const WRONGED: Readonly<Record<Variant, string>> = {
  tamper: "a delivery with a changed byte",
  stale: "a delivery signed too long ago",
  future: "a delivery signed in the future",
  wrong_secret: "a delivery signed with another secret",
};

const subjectOf = ({ event, variant }: Answer, made: ReadonlyMap<number, Read>): string =>
  variant === null ? (made.get(event)?.id ?? "") : WRONGED[variant];

/** `ids`: the events. `deliveryIds`: the deliveries' own rows, which say why there are no events where one cannot be split. */
async function outcomes(
  request: SendRequest,
  ids: readonly string[],
  deliveryIds: readonly string[],
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
    reasons: await ledger.reasons(request.source, events.pending === 0 ? ids : [...new Set([...ids, ...deliveryIds])], EXAMPLES),
  };
}

interface Made {
  readonly read: Read;
  /** With the URL that it is posted to: the instance's, whatever was signed. */
  readonly signed: Signed;
}

async function requestMaker(request: SendRequest, sources: NamedSources): Promise<(delivery: Delivery) => Promise<Made>> {
  const { instance, source, file } = request;
  const provider = Object.hasOwn(sources, source) ? sources[source] : undefined;
  if (provider === undefined) throw new Error(`there is no source "${source}"; src/sources.ts has: ${Object.keys(sources).join(", ")}.`);
  const refusal = request.variant === null ? null : impossible(request.variant, provider);
  if (refusal !== null) throw new Error(refusal);
  if (request.count > 1 && request.id !== undefined) throw new Error("--id names one event: leave out --count, or use --duplicates for copies.");
  const keys = await signingKeys(source, provider, instance.vars, request.rotate ? "next" : "current");
  const others = request.invalid > 0 || request.variant === "wrong_secret" ? await wrongKeys(provider.scheme) : keys;

  const makeSample = sampleOf(provider);
  const base = instance.publicBaseUrl ?? instance.url;
  const run = randomUUID().slice(0, 8);
  const makeNew = async (event: number, variant: Variant | null): Promise<Made> => {
    const id = request.id ?? `evt_${run}_${event + 1}`;
    const { user, amount, reference } = request;
    const sample = makeSample(request.type, { id, user, amount, reference });
    const outbound = {
      provider,
      sample,
      body: file ?? sampleBytes(sample),
      id,
      url: `${base}/webhooks/${source}`,
      timestampMs: signedAtMs(variant, provider, Date.now()),
    };
    const genuine = await signed(outbound, variant === "wrong_secret" ? others : keys).catch((cause: unknown) => {
      throw new Error(`${provider.title} cannot sign this body: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    });
    const read = await readEvents(provider, genuine);
    const sent = variant === "tamper" ? tampered(provider.scheme, genuine) : genuine;
    return { read, signed: { ...sent, url: `${instance.url}${sent.url.slice(base.length)}` } };
  };
  if (file !== null && request.count > 1) {
    const [first, second] = await Promise.all([makeNew(0, null), makeNew(1, null)]);
    if (first.read.id === second.read.id)
      throw new Error(`--file holds one ${provider.title} event with its id: leave out --count, or use --duplicates for copies.`);
  }
  // One request for an event, to the last byte, as a provider sends it again: time and signature may stand in the body. Kept until its last copy.
  const open = new Map<number, { readonly made: Promise<Made>; left: number }>();
  return ({ event, variant }) => {
    const kept = open.get(event) ?? { made: makeNew(event, variant), left: event < request.count ? 1 + request.duplicates : 1 };
    kept.left--;
    if (kept.left > 0) open.set(event, kept);
    else open.delete(event);
    return kept.made;
  };
}
