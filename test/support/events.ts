/** Events as tests make them: unique, signed, posted through the front door. */
import { env, exports } from "cloudflare:workers";
import { eventKeyText, type EventFacts } from "../../src/core/event.ts";
import { sha256Hex } from "../../src/digest.ts";
import { generic } from "../../src/providers/generic.ts";
import { sign } from "../../src/schemes/scheme.ts";
import { marked } from "./leaks.ts";

/** As vitest.config.ts has it. */
const GENERIC_SECRET = "generic-test-secret";
const URL_GENERIC = "http://localhost/webhooks/generic";

/** An event id that no other test has. */
export const uniqueId = (): string => `evt_${crypto.randomUUID()}`;

export interface Sample {
  readonly facts: EventFacts;
  readonly bytes: Uint8Array;
}

/** What ingest would hand to the claim for these bytes. */
export async function sampleOf(id: string, bytes: Uint8Array = jsonBytes(marked({ id, type: "credit", userId: "u", amount: 1 }))): Promise<Sample> {
  const facts: EventFacts = {
    source: "generic",
    id,
    type: "credit",
    receivedAtMs: Date.now(),
    occurredAtMs: null,
    digest: await sha256Hex(bytes),
    contentType: "application/json",
    headers: {},
    bytesLength: bytes.byteLength,
  };
  return { facts, bytes };
}

export const jsonBytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** Bytes of which no two stretches are alike, so that a chunk too many, too few or out of place shows. */
export function patternBytes(length: number, seed: number): Uint8Array {
  const words = new Uint32Array(Math.ceil(length / 4));
  for (let index = 0; index < words.length; index++) words[index] = Math.imul(index + seed, 2_654_435_761);
  return new Uint8Array(words.buffer).slice(0, length);
}

export interface Answer {
  readonly status: number;
  /** The `holdfast-status` header. */
  readonly outcome: string | null;
}

/** One signed delivery of these bytes to the generic source, through the Worker's own fetch. */
export async function post(id: string, bytes: Uint8Array): Promise<Answer> {
  const outgoing = {
    method: "POST",
    url: URL_GENERIC,
    headers: { "x-webhook-id": id, "x-webhook-type": "credit" },
    id,
    timestampMs: Date.now(),
    body: bytes,
  };
  const { url, ...request } = await sign(generic().scheme, outgoing, { secret: GENERIC_SECRET, privateKey: null });
  const response = await exports.default.fetch(url, request);
  await response.arrayBuffer();
  return { status: response.status, outcome: response.headers.get("holdfast-status") };
}

/** The claim of an event of the generic source. A fresh stub each time: one that met a reset stays dead. */
export const claimOf = (id: string): ReturnType<Env["CLAIMS"]["getByName"]> => env.CLAIMS.getByName(eventKeyText({ source: "generic", id }));
