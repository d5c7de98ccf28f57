/** DESIGN 3.2 as a table, written by hand from its text: what a claim becomes, what its object does, what the sender hears. */
import type { InputName, Table } from "./claim-states.ts";

type Cells<Name extends InputName> = Record<Name, string>;

/** Once there is a claim, a message that went around it changes nothing. */
const NOT_ADOPTED: Cells<"adopt" | "adopt without bytes"> = { adopt: "ignored", "adopt without bytes": "ignored" };
/** Nothing is on its way any more: what a late send reports is of no interest. */
const NO_RELAY: Cells<"sent" | "sent, older" | "refused" | "refused, older"> = {
  sent: "ignored",
  "sent, older": "ignored",
  refused: "ignored",
  "refused, older": "ignored",
};
const FAILS: Cells<"failed, newer, stored" | "failed, newer"> = {
  "failed, newer, stored": "failed, drop bytes, arm 30d",
  "failed, newer": "failed, keep bytes, arm 30d",
};
/** `complete` and `fail` are accepted in every open state; a failure of an older opening never is. */
const SETTLES: Cells<"completed" | "failed, older, stored" | "failed, older" | "failed, stored" | "failed" | keyof typeof FAILS> = {
  completed: "completed, drop bytes, arm 7d",
  "failed, older, stored": "ignored",
  "failed, older": "ignored",
  "failed, stored": "failed, drop bytes, arm 30d",
  failed: "failed, keep bytes, arm 30d",
  ...FAILS,
};
/** Whatever it was: its row is settled and has no bytes, so no run can need them. */
const ERASES: Cells<"erased" | "erased, older"> = {
  erased: "completed, drop bytes, arm 7d",
  "erased, older": "completed, drop bytes, arm 7d",
};
const CLAIMED = {
  ...ERASES,
  deliver: 'claimed, "pending"',
  "deliver other bytes": 'claimed, send, "pending", not first',
  ...NOT_ADOPTED,
  sent: "claimed",
  // The relay was busy with an older opening when this one was opened.
  "sent, older": "claimed, send",
  refused: "claimed, keep bytes, arm 1s",
  "refused, older": "claimed, send",
  alarm: "claimed, arm 30s, send",
  ...SETTLES,
} satisfies Cells<InputName>;
const ENQUEUED = {
  ...ERASES,
  deliver: 'enqueued, "pending"',
  "deliver other bytes": 'enqueued, send, "pending", not first',
  ...NOT_ADOPTED,
  sent: "enqueued",
  "sent, older": "ignored",
  refused: "enqueued, keep bytes, arm 1s",
  "refused, older": "ignored",
  alarm: "enqueued, keep bytes, arm 4h, send",
  ...SETTLES,
} satisfies Cells<InputName>;
const COMPLETED = {
  ...ERASES,
  deliver: 'completed, "done"',
  "deliver other bytes": 'completed, send bare, "done", not first',
  ...NOT_ADOPTED,
  ...NO_RELAY,
  alarm: "completed, arm 6d",
  // Final, but for a skipped event that an operator has opened again (docs/decisions/019).
  completed: "ignored",
  "failed, older, stored": "ignored",
  "failed, older": "ignored",
  "failed, stored": "ignored",
  failed: "ignored",
  ...FAILS,
} satisfies Cells<InputName>;
const FAILED = {
  ...ERASES,
  deliver: 'claimed, put bytes, arm 30s, send, "requeued"',
  "deliver other bytes": 'claimed, put bytes, arm 30s, send, "requeued", not first',
  ...NOT_ADOPTED,
  ...NO_RELAY,
  alarm: "failed, arm 29d",
  completed: "completed, drop bytes, arm 7d",
  "failed, older, stored": "ignored",
  "failed, older": "ignored",
  "failed, stored": "ignored",
  failed: "ignored",
  ...FAILS,
} satisfies Cells<InputName>;
/** The only copy of the bytes is here: first write wins, and they go only once the ledger has them. */
const FAILED_NOT_STORED = {
  ...FAILED,
  deliver: 'claimed, keep bytes, arm 30s, send, "requeued"',
  "deliver other bytes": 'claimed, keep bytes, arm 30s, send, "requeued", not first',
  "failed, stored": "failed, drop bytes, arm 30d",
} satisfies Cells<InputName>;

export const TABLE: Table = {
  unclaimed: {
    deliver: 'claimed, put bytes, arm 30s, send, "queued"',
    "deliver other bytes": 'claimed, put bytes, arm 30s, send, "queued"',
    adopt: "enqueued, put bytes, arm 1h",
    "adopt without bytes": "enqueued, drop bytes, arm 1h",
    ...NO_RELAY,
    // A leftover alarm of an object that has nothing: it goes for good.
    alarm: "unclaimed, forget",
    // The consumer can be faster than the relay, or have a message that went around the claim.
    completed: "completed, drop bytes, arm 7d",
    "failed, older, stored": "failed, drop bytes, arm 30d",
    "failed, older": "failed, keep bytes, arm 30d",
    "failed, stored": "failed, drop bytes, arm 30d",
    failed: "failed, keep bytes, arm 30d",
    ...FAILS,
    erased: "ignored",
    "erased, older": "ignored",
  },
  claimed: CLAIMED,
  "claimed, sent": {
    ...CLAIMED,
    "sent, older": "ignored",
    "refused, older": "ignored",
    // The one write that the happy path saves.
    alarm: "enqueued, keep bytes, arm 1h",
  },
  "claimed, past lease": {
    ...CLAIMED,
    deliver: 'claimed, send, "pending"',
    sent: "enqueued, keep bytes, arm 1h",
  },
  "claimed, sent, past lease": {
    ...CLAIMED,
    deliver: 'claimed, send, "pending"',
    sent: "enqueued, keep bytes, arm 1h",
    "sent, older": "ignored",
    "refused, older": "ignored",
    alarm: "enqueued, keep bytes, arm 1h",
  },
  "claimed, 2 refusals": { ...CLAIMED, refused: "claimed, keep bytes, arm 4s" },
  "claimed, 9 refusals": {
    ...CLAIMED,
    deliver: 'claimed, send bare, "pending"',
    "deliver other bytes": 'claimed, send bare, "pending", not first',
    sent: "enqueued, keep bytes, arm 1h",
    "sent, older": "claimed, send bare",
    refused: "claimed, keep bytes, arm 5m, stuck 10",
    "refused, older": "claimed, send bare",
    alarm: "claimed, arm 30s, send bare",
  },
  "claimed, refused for an hour": {
    ...CLAIMED,
    deliver: 'claimed, send bare, "pending"',
    "deliver other bytes": 'claimed, send bare, "pending", not first',
    sent: "enqueued, keep bytes, arm 1h",
    "sent, older": "claimed, send bare",
    refused: "claimed, keep bytes, arm 1h, stuck 21",
    "refused, older": "claimed, send bare",
    alarm: "claimed, arm 30s, send bare",
  },
  // The third: not a power of two, so a sender of garbage does not multiply messages.
  "claimed, other bytes before": { ...CLAIMED, "deliver other bytes": 'claimed, "pending", not first' },
  enqueued: ENQUEUED,
  "enqueued, stale": { ...ENQUEUED, deliver: 'enqueued, send, "pending"' },
  "enqueued, watched once": { ...ENQUEUED, alarm: "enqueued, keep bytes, arm 16h, send" },
  "enqueued, 1 refusal": {
    ...ENQUEUED,
    deliver: 'enqueued, send, "pending"',
    // Its alarm is the refusal's, seconds away: back to the watchdog.
    sent: "enqueued, keep bytes, arm 1h",
    refused: "enqueued, keep bytes, arm 2s",
  },
  "enqueued, adopted without bytes": {
    ...ENQUEUED,
    "deliver other bytes": 'enqueued, send bare, "pending", not first',
    alarm: "enqueued, keep bytes, arm 4h, send bare",
  },
  completed: COMPLETED,
  "completed, old": { ...COMPLETED, alarm: "unclaimed, forget" },
  // It never heard what the first bytes were.
  "completed, told only": { ...COMPLETED, "deliver other bytes": 'completed, "done"' },
  "failed, stored": FAILED,
  "failed, stored, old": { ...FAILED, alarm: "unclaimed, forget" },
  // It has nothing to lose, and would wake up every 30 days for ever.
  "failed, told only, old": {
    ...FAILED,
    "deliver other bytes": 'claimed, put bytes, arm 30s, send, "requeued"',
    "failed, stored": "failed, drop bytes, arm 30d",
    alarm: "unclaimed, forget",
  },
  "failed, not stored": FAILED_NOT_STORED,
  "failed, not stored, old": { ...FAILED_NOT_STORED, alarm: "failed, arm 30d" },
};
