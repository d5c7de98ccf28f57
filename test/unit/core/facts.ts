/** Event facts for pure tests, and arbitrary ones within the bounds that ingest keeps. */
import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import type { EventFacts } from "../../../src/core/event.ts";
import { EVENT_ID_LIMIT_BYTES, HEADERS_LIMIT_BYTES, TYPE_LIMIT_BYTES } from "../../../src/core/limits.ts";
import type { EventMessage } from "../../../src/core/message.ts";

export function factsOf(more: Partial<EventFacts> = {}): EventFacts {
  return {
    source: "generic",
    id: "evt_1",
    type: "credit",
    receivedAtMs: 1_800_000_000_000,
    occurredAtMs: null,
    digest: "0".repeat(64),
    contentType: "application/json",
    headers: {},
    bytesLength: 0,
    ...more,
  };
}

export function messageOf(more: Partial<EventMessage> = {}): EventMessage {
  return { v: 1, facts: factsOf(), opening: 1, direct: false, duplicates: 0, mismatches: 0, bytes: null, ...more };
}

/** Well-formed, without NUL: Latin-1, two-byte units, surrogate pairs, control characters. */
const text = (limitBytes: number): fc.Arbitrary<string> =>
  fc
    .oneof(
      fc.string({ unit: "binary", maxLength: limitBytes }),
      fc.string({ unit: "grapheme", maxLength: limitBytes }),
      fc.string({ unit: fc.constantFrom("ÿ", "a", "\u{1}"), maxLength: limitBytes }),
    )
    .map((value) => cut(value.toWellFormed().replaceAll("\0", " "), limitBytes));

function cut(value: string, limitBytes: number): string {
  let rest = value;
  while (Buffer.byteLength(rest) > limitBytes) rest = rest.slice(0, Math.floor(rest.length / 2)).toWellFormed();
  return rest;
}

export const sourceNames = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/);
export const eventIds = text(EVENT_ID_LIMIT_BYTES).map((id) => (id === "" ? "0" : id));

/** Few large or many tiny headers, together within the bound. */
const headers = fc.dictionary(text(40), text(2_000), { maxKeys: 60 }).map((all) => {
  let room = HEADERS_LIMIT_BYTES;
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) => {
      room -= Buffer.byteLength(name) + Buffer.byteLength(value);
      return room >= 0;
    }),
  );
});

export const arbitraryFacts: fc.Arbitrary<EventFacts> = fc.record({
  source: sourceNames,
  id: eventIds,
  type: text(TYPE_LIMIT_BYTES),
  receivedAtMs: fc.maxSafeNat(),
  occurredAtMs: fc.option(fc.double({ noNaN: true })),
  digest: fc.constant("f".repeat(64)),
  contentType: text(256),
  headers,
  bytesLength: fc.nat({ max: 70_000 }),
});
