/** The states and inputs of the transition table, and a step's outcome in words. Durations are the real ones. */
import type { Claim, ClaimEffect, ClaimInput, ClaimReply, ClaimStep } from "../../../src/core/claim.ts";
import type { EventFacts } from "../../../src/core/event.ts";

export const NOW_MS = 1_800_000_000_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const CURRENT = 1_700_000_000_000;

const FACTS: EventFacts = {
  source: "generic",
  id: "evt",
  type: "credit",
  receivedAtMs: CURRENT,
  occurredAtMs: null,
  digest: "first",
  contentType: "application/json",
  headers: {},
  bytesLength: 10,
};
const OTHER: EventFacts = { ...FACTS, digest: "other", receivedAtMs: NOW_MS };

export const claimOf = (status: Claim["status"], ageMs: number, more: Partial<Claim> = {}): Claim => ({
  v: 1,
  status,
  facts: FACTS,
  hasBytes: status === "claimed" || status === "enqueued",
  opening: CURRENT,
  sinceMs: NOW_MS - ageMs,
  sentMs: null,
  refusals: 0,
  refusedSinceMs: null,
  watchdogs: 0,
  stored: false,
  duplicates: 0,
  mismatches: 0,
  ...more,
});
const refused = (refusals: number, forMs: number): Partial<Claim> => ({ refusals, refusedSinceMs: NOW_MS - forMs });

export const STATES = {
  unclaimed: null,
  claimed: claimOf("claimed", SECOND),
  "claimed, sent": claimOf("claimed", SECOND, { sentMs: NOW_MS - SECOND }),
  "claimed, past lease": claimOf("claimed", 30 * SECOND),
  "claimed, sent, past lease": claimOf("claimed", 30 * SECOND, { sentMs: NOW_MS - 29 * SECOND }),
  "claimed, 2 refusals": claimOf("claimed", 3 * SECOND, refused(2, 2 * SECOND)),
  "claimed, 9 refusals": claimOf("claimed", 20 * MINUTE, refused(9, 20 * MINUTE)),
  "claimed, refused for an hour": claimOf("claimed", HOUR, refused(20, HOUR)),
  "claimed, other bytes before": claimOf("claimed", SECOND, { mismatches: 2 }),
  enqueued: claimOf("enqueued", MINUTE, { sentMs: NOW_MS - MINUTE }),
  "enqueued, stale": claimOf("enqueued", 15 * MINUTE),
  "enqueued, watched once": claimOf("enqueued", HOUR, { watchdogs: 1, sentMs: NOW_MS - SECOND }),
  "enqueued, 1 refusal": claimOf("enqueued", HOUR, refused(1, SECOND)),
  "enqueued, adopted without bytes": claimOf("enqueued", MINUTE, { hasBytes: false }),
  completed: claimOf("completed", DAY),
  "completed, old": claimOf("completed", 7 * DAY),
  "completed, told only": claimOf("completed", DAY, { facts: null }),
  "failed, stored": claimOf("failed", DAY, { stored: true }),
  "failed, stored, old": claimOf("failed", 30 * DAY, { stored: true }),
  "failed, told only, old": claimOf("failed", 30 * DAY, { facts: null }),
  "failed, not stored": claimOf("failed", DAY, { hasBytes: true }),
  "failed, not stored, old": claimOf("failed", 30 * DAY, { hasBytes: true }),
} as const satisfies Record<string, Claim | null>;
export type StateName = keyof typeof STATES;

export const INPUTS = {
  deliver: { kind: "deliver", facts: FACTS },
  "deliver other bytes": { kind: "deliver", facts: OTHER },
  adopt: { kind: "adopt", facts: FACTS, opening: CURRENT, hasBytes: true },
  "adopt without bytes": { kind: "adopt", facts: FACTS, opening: CURRENT, hasBytes: false },
  sent: { kind: "sent", opening: CURRENT },
  "sent, older": { kind: "sent", opening: CURRENT - 1 },
  refused: { kind: "refused", opening: CURRENT },
  "refused, older": { kind: "refused", opening: CURRENT - 1 },
  alarm: { kind: "alarm" },
  completed: { kind: "completed", opening: CURRENT },
  "failed, older, stored": { kind: "failed", opening: CURRENT - 1, stored: true },
  "failed, older": { kind: "failed", opening: CURRENT - 1, stored: false },
  "failed, stored": { kind: "failed", opening: CURRENT, stored: true },
  failed: { kind: "failed", opening: CURRENT, stored: false },
  "failed, newer, stored": { kind: "failed", opening: CURRENT + 1, stored: true },
  "failed, newer": { kind: "failed", opening: CURRENT + 1, stored: false },
  erased: { kind: "erased", opening: CURRENT },
  "erased, older": { kind: "erased", opening: CURRENT - 1 },
} as const satisfies Record<string, ClaimInput>;
export type InputName = keyof typeof INPUTS;

export type Table = Record<StateName, Record<InputName, string>>;

/** `status: effects: reply`, or `ignored`: nothing is different, nothing is done. */
export function inWords(before: Claim | null, { next, effects, reply }: ClaimStep): string {
  const isSame = JSON.stringify(next) === JSON.stringify(before);
  if (isSame && effects.length === 0 && reply.kind === "noted") return "ignored";
  return [next?.status ?? "unclaimed", ...effects.map(effectInWords), ...replyInWords(reply)].join(", ");
}

function effectInWords(effect: ClaimEffect): string {
  switch (effect.kind) {
    case "save":
      return `${effect.bytes} bytes`;
    case "arm":
      return `arm ${span(effect.atMs - NOW_MS)}`;
    case "send":
      return effect.bare ? "send bare" : "send";
    case "forget":
      return "forget";
    case "report_stuck":
      return `stuck ${effect.refusals}`;
  }
}

function replyInWords(reply: ClaimReply): string[] {
  if (reply.kind === "noted") return [];
  const other = "otherDigest" in reply && reply.otherDigest !== null ? [`not ${reply.otherDigest}`] : [];
  return [`"${reply.kind}"`, ...other];
}

function span(ms: number): string {
  for (const [unit, unitMs] of Object.entries({ d: DAY, h: HOUR, m: MINUTE, s: SECOND }))
    if (ms >= unitMs && ms % unitMs === 0) return `${ms / unitMs}${unit}`;
  return `${ms}ms`;
}
