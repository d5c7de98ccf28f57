/** Pure. The queue message: a versioned record (content type v8), built and read here alone (DESIGN 3.3). */
import { type EventFacts, factsOf, isEventFacts, isRecord, owned } from "./event.ts";
import { MESSAGE_LIMIT_BYTES, MESSAGE_OVERHEAD_BYTES } from "./limits.ts";
import { failed, ok, type Result } from "./result.ts";

export const MESSAGE_VERSION = 1;

export interface EventMessage {
  readonly v: typeof MESSAGE_VERSION;
  readonly facts: EventFacts;
  /** Stamp of the opening that this message is for. */
  readonly opening: number;
  /** It went around the claim. */
  readonly direct: boolean;
  /** What the claim had counted when it sent this: at least. */
  readonly duplicates: number;
  readonly mismatches: number;
  /** The raw body, where the whole message stays under 64,000 bytes; null: the consumer fetches it from the row, else from the claim. */
  readonly bytes: Uint8Array | null;
}

/**
 * Whether the body fits: by arithmetic, before the send, since a refusal for size cannot be told from an outage.
 * Counts every text at its longest: v8 writes two bytes per unit once a string holds one unit above Latin-1.
 */
export function fitsMessage(facts: EventFacts): boolean {
  const { headers, ...scalars } = facts;
  const units = JSON.stringify(headers).length + JSON.stringify(scalars).length;
  return facts.bytesLength + 2 * units + MESSAGE_OVERHEAD_BYTES <= MESSAGE_LIMIT_BYTES;
}

export type MessageParts = Omit<EventMessage, "v">;

/** Bytes that do not fit are left out; those that do are an owned copy (a view would be sent with its whole buffer). */
export function encodeMessage(parts: MessageParts): EventMessage {
  const bytes = parts.bytes !== null && fitsMessage(parts.facts) ? owned(parts.bytes) : null;
  return { v: MESSAGE_VERSION, ...parts, bytes };
}

/** A message for what the ledger holds: without bytes, since the consumer runs on the row's. */
export function messageForRow(row: EventFacts & { readonly opening: number }): EventMessage {
  return encodeMessage({ facts: factsOf(row), opening: row.opening, direct: false, duplicates: 0, mismatches: 0, bytes: null });
}

export type UnreadableMessage = { readonly reason: "message_malformed" } | { readonly reason: "message_version_unknown"; readonly version: number };

/** A newer version is no fault of the event: a deploy is under way, and whoever speaks it will read it. */
export function decodeMessage(body: unknown): Result<EventMessage, UnreadableMessage> {
  if (!isRecord(body) || typeof body["v"] !== "number") return failed({ reason: "message_malformed" });
  if (body["v"] !== MESSAGE_VERSION) return failed({ reason: "message_version_unknown", version: body["v"] });
  return isMessage(body) ? ok(body) : failed({ reason: "message_malformed" });
}

function isMessage(body: Record<string, unknown>): body is Record<string, unknown> & EventMessage {
  const { facts, bytes } = body;
  return (
    isEventFacts(facts) &&
    typeof body["opening"] === "number" &&
    typeof body["direct"] === "boolean" &&
    typeof body["duplicates"] === "number" &&
    typeof body["mismatches"] === "number" &&
    (bytes === null || bytes instanceof Uint8Array)
  );
}
