/** Pure. The nouns: what a verified delivery is about, and how it is named everywhere. */

/** Who an event is: the pair that everything is keyed by. */
export interface EventKey {
  readonly source: string;
  /** As the provider wrote it: 1 to 512 bytes of well-formed text without NUL. */
  readonly id: string;
}

/** A verified event without its bytes. */
export interface EventFacts extends EventKey {
  readonly type: string;
  readonly receivedAtMs: number;
  /** When the provider says that it happened; null where it does not say. */
  readonly occurredAtMs: number | null;
  /** Lower-case hex SHA-256 of the raw body. */
  readonly digest: string;
  readonly contentType: string;
  /** The kept request headers, names in lower case: bounded, clean, without authorization, cookies and signatures. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytesLength: number;
}

/** What crosses a queue or an object's border was perhaps written by another version: it is looked at before it is believed. */
export function isEventFacts(value: unknown): value is EventFacts {
  return (
    isRecord(value) &&
    typeof value["source"] === "string" &&
    typeof value["id"] === "string" &&
    typeof value["type"] === "string" &&
    typeof value["digest"] === "string" &&
    typeof value["contentType"] === "string" &&
    typeof value["receivedAtMs"] === "number" &&
    (value["occurredAtMs"] === null || typeof value["occurredAtMs"] === "number") &&
    typeof value["bytesLength"] === "number" &&
    isRecord(value["headers"])
  );
}

export const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** The facts alone, of a row that has more: what is sent with a message is no more than its readers know. */
export function factsOf(row: EventFacts): EventFacts {
  const { source, id, type, receivedAtMs, occurredAtMs, digest, contentType, headers, bytesLength } = row;
  return { source, id, type, receivedAtMs, occurredAtMs, digest, contentType, headers, bytesLength };
}

export interface VerifiedEvent extends EventFacts {
  /** The raw body, to the last bit, in a buffer of its own. */
  readonly bytes: Uint8Array;
}

/**
 * One text for the pair: the claim's object name and the handler's stable key. Source names have no colon (SOURCE_NAME),
 * so the first colon ends the source and no two pairs share a text. At most 64 + 1 + 512 bytes: within the platform's 1,024.
 */
export function eventKeyText(key: EventKey): string {
  return `${key.source}:${key.id}`;
}

/** What may name a source: it stands in URLs, object names and, upper-cased, in environment variables. */
export const SOURCE_NAME = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** An owned copy: a view stores, sends and keeps alive its whole buffer (PLATFORM 11, C). Every border of storage, queue and RPC goes through it. */
export function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  // Not slice(): a Buffer's is a view.
  return new Uint8Array(bytes);
}
