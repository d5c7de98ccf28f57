/** One delivery: bytes (bounded) -> verify -> identify -> claim -> answer. Nothing is written before the signature holds, and no 2xx goes out before it is stored. */
import { isDev, type Config } from "../config.ts";
import { Delivery, targetOf } from "../core/delivery.ts";
import type { VerifiedEvent } from "../core/event.ts";
import type { Refusal } from "../core/reasons.ts";
import { isSampled } from "../core/sampled.ts";
import { sha256Hex } from "../digest.ts";
import { faultPoint } from "../fault-points.ts";
import { digestPrefix, log, type LogFields } from "../log.ts";
import { handsOver, missingFor } from "../missing.ts";
import { count } from "../metrics.ts";
import { multipartFields } from "../multipart.ts";
import { identify } from "../providers/identify.ts";
import type { Provider } from "../providers/provider.ts";
import { announced } from "./announced.ts";
import { authenticate } from "./authenticate.ts";
import { isolateBodies, readBody } from "./body.ts";
import { claim } from "./claim-call.ts";
import { storeDirectly } from "./direct.ts";
import { answerGet, answerPost, isOwnProof, type HandshakeAnswer, type HandshakeMeans } from "./handshake.ts";
import { keptHeaders } from "./headers.ts";
import { confirmUrl, keepSecret } from "./means.ts";
import { type Outcome, respond } from "./respond.ts";

export interface Ingest {
  readonly env: Env;
  readonly config: Config;
  readonly sources: Readonly<Record<string, Provider>>;
}

type Stages = Record<string, number>;

/** Runs a stage and notes how long it took. */
async function timed<T>(ms: Stages, stage: string, work: Promise<T>): Promise<T> {
  const startMs = Date.now();
  try {
    return await work;
  } finally {
    ms[stage] = Date.now() - startMs;
  }
}

export async function ingest(request: Request, sourceName: string, { env, config, sources }: Ingest): Promise<Response> {
  const startMs = Date.now();
  const ms: Stages = {};
  const provider = Object.hasOwn(sources, sourceName) ? sources[sourceName] : undefined;
  const colo = request.cf?.colo;
  const common: LogFields = { ...(provider === undefined ? {} : { source: sourceName }), ...(typeof colo === "string" ? { colo } : {}) };
  const finish = (outcome: Outcome, fields: LogFields): Response => {
    const response = respond(outcome, provider ?? null);
    const total = Date.now() - startMs;
    const reason = outcome.status === "rejected" ? outcome.refusal : null;
    count(env, [{ source: provider === undefined ? null : sourceName, kind: "delivery", outcome: outcome.status, reason, ms: total }]);
    logDelivery(outcome, { ...common, ...fields, status: response.status, ms: { ...ms, total } }, config);
    return response;
  };
  const refuse = (refusal: Refusal, fields: LogFields = {}): Response => finish({ status: "rejected", refusal }, { reason: refusal, ...fields });

  if (provider === undefined) return refuse("unknown_source");
  const secrets = config.secretsOf(sourceName);
  const deliveryOf = (body: Uint8Array, multipart: URLSearchParams | null): Delivery =>
    new Delivery({ method: request.method, url: publicUrl(request.url, config.publicBaseUrl), headers: request.headers, body, multipart });
  const means: HandshakeMeans = {
    secrets,
    verifyToken: config.verifyTokenOf(sourceName),
    confirm: (url) => confirmUrl(url, config.timings.keyFetchMs, sourceName),
    keepSecret: (secret) => keepSecret(env, config, sourceName, secret),
  };
  const handshake = ({ response, refusal, hint }: HandshakeAnswer): Response => {
    const why = { ...(refusal === null ? {} : { reason: refusal }), ...(hint === undefined ? {} : { hint }) };
    const total = Date.now() - startMs;
    log(refusal === null ? "info" : "warn", "handshake", { ...common, status: response.status, ...why, ms: { ...ms, total } });
    return response;
  };
  if (request.method === "GET" || request.method === "HEAD" || request.method === "OPTIONS") {
    const answer = await answerGet(provider, deliveryOf(new Uint8Array(0), null), means);
    if (answer !== null) return handshake(answer);
    return request.method === "OPTIONS" ? refuse("method_not_allowed") : greet(sourceName, provider);
  }
  if (request.method !== "POST") return refuse("method_not_allowed");
  const notConfigured = (hint: string): Response => {
    log("error", "source_not_configured", { ...common, hint });
    return refuse("source_not_configured");
  };
  const missing = missingFor(sourceName, provider, config, isDev()).find((one) => one.refuses);
  if (missing !== undefined && !handsOver(provider)) return notConfigured(missing.hint);
  if (!isIdentity(request.headers.get("content-encoding"))) return refuse("unsupported_content_encoding");

  const body = await timed(ms, "body", readBody(request, isolateBodies, config.timings.bodyReadMs));
  if (!body.ok) return refuse(body.failure, announced(provider, deliveryOf(new Uint8Array(0), null)));
  try {
    const { bytes } = body.value;
    const delivery = deliveryOf(bytes, provider.multipart ? await multipartFields(request.headers.get("content-type") ?? "", bytes) : null);
    const unsigned = await answerPost(provider, delivery, false, means);
    if (unsigned !== null) return handshake(unsigned);
    if (missing !== undefined) return notConfigured(missing.hint);

    const nowMs = Date.now();
    const verified = await timed(ms, "verify", authenticate(delivery, { name: sourceName, provider, secrets, config }, nowMs));
    if (!verified.ok) {
      const { refusal, reason, hint } = verified.failure;
      return refusal === "source_not_configured" ? notConfigured(hint) : refuse(refusal, { reason, hint });
    }
    if (isOwnProof(provider, delivery)) return refuse("invalid_signature", { reason: "own_proof" });
    const challenge = await answerPost(provider, delivery, true, means);
    if (challenge !== null) return handshake(challenge);

    const identity = await identify(provider, delivery);
    if (!identity.ok) return refuse(identity.failure, { secret: verified.value.matched, bytes: bytes.byteLength });
    const { id, type, occurredAtMs, idDisagrees } = identity.value;
    const event: VerifiedEvent = {
      source: sourceName,
      id,
      type,
      receivedAtMs: nowMs,
      occurredAtMs,
      digest: await sha256Hex(bytes),
      contentType: (request.headers.get("content-type") ?? "").slice(0, CONTENT_TYPE_LIMIT).toWellFormed(),
      headers: keptHeaders(request.headers, provider.scheme),
      bytesLength: bytes.byteLength,
      bytes,
    };
    const known: LogFields = {
      eventId: id,
      type,
      digest: digestPrefix(event.digest),
      bytes: bytes.byteLength,
      secret: verified.value.matched,
      ...retryHeaders(event.headers),
      ...(idDisagrees ? { problem: "id_disagrees" } : {}),
    };

    if (FAULTS) await faultPoint("ingest.verified");
    const { answer, error } = await timed(ms, "claim", claim(env.CLAIMS, event, config.timings));
    if (answer !== null) {
      if (FAULTS) await faultPoint("ingest.claimed");
      if (answer.otherDigest !== null) {
        log("warn", "payload_mismatch", {
          ...common,
          ...known,
          otherDigest: digestPrefix(answer.otherDigest),
          hint: "same event id, other bytes: the first are kept",
        });
      }
      return finish({ status: answer.kind, eventId: id }, known);
    }
    if (FAULTS) await faultPoint("ingest.unclaimed");
    const direct = await timed(ms, "direct", storeDirectly(env, event, config));
    const fields: LogFields = {
      ...known,
      direct: true,
      problem: "claim_unreachable",
      error: direct.error === null ? error : `${error}; ${direct.error}`,
    };
    return direct.isStored ? finish({ status: "queued", eventId: id }, fields) : refuse("temporarily_unavailable", fields);
  } finally {
    body.value.release();
  }
}

const CONTENT_TYPE_LIMIT = 256;

/** What the provider was given: our own base, and the request target as it came (a URL parser would write some characters otherwise). */
function publicUrl(url: string, base: string | null): string {
  return base === null ? url : `${base}${targetOf(url)}`;
}

function isIdentity(encoding: string | null): boolean {
  return encoding === null || encoding.trim() === "" || encoding.trim().toLowerCase() === "identity";
}

function retryHeaders(headers: Readonly<Record<string, string>>): LogFields {
  const retry = Object.entries(headers).filter(([name]) => /retry|attempt|redeliver/.test(name));
  return retry.length === 0 ? {} : { retry: Object.fromEntries(retry) };
}

function logDelivery(outcome: Outcome, fields: LogFields, config: Config): void {
  const isTrouble = outcome.status === "rejected" || fields.problem !== undefined;
  // Failures are never sampled.
  if (!isTrouble && !isSampled({ source: fields.source ?? "", id: outcome.eventId }, config.logSuccessRate)) return;
  log(isTrouble ? "warn" : "info", "delivery", { ...fields, outcome: outcome.status });
}

/** What a browser sees. */
function greet(sourceName: string, provider: Provider): Response {
  return new Response(`This is the webhook endpoint "${sourceName}" (${provider.name}): it takes signed POST requests. See ${provider.docs}\n`, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}
