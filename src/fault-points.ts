/**
 * The moments at which the crash tests make a shell throw, hang or die: each lies between two things that the outside world can see. One list with the
 * model's crash points (test/unit/fault-points.test.ts holds it against the shells' awaits). Compiled out: a deployed bundle has none of this.
 */
declare global {
  /** Compiled in (wrangler.toml [define]): false in every deployed bundle and every other test. Stands bare before each call, so that the call goes too. */
  const FAULTS: boolean;
}

export const FAULT_POINTS = [
  /** Authentic and identified; nothing is stored. */
  "ingest.verified",
  /** The claim has answered; the provider has not heard. */
  "ingest.claimed",
  /** The claim did not answer, whatever it did; the direct path has not begun. */
  "ingest.unclaimed",
  /** Direct path, large body: its row is committed, its message is not sent. */
  "ingest.direct_row",
  /** Direct path: the queue has it, the provider has not heard. */
  "ingest.direct_sent",
  /** The call has reached the object, which has read and written nothing. So too the alarm and the load. */
  "claim.delivering",
  /** Record and alarm are written, the answer is not out. */
  "claim.delivered",
  "claim.adopted",
  "claim.settled",
  "claim.loading",
  "claim.alarm",
  /** The alarm's step is saved, the next alarm armed. */
  "claim.alarmed",
  /** The claim is on disk, the queue has not heard. */
  "claim.synced",
  /** The queue has it, the claim does not know. */
  "claim.sent",
  /** A batch is here, nothing is recorded. */
  "consume.received",
  /** Every event has its row, committed; nobody has its turn. */
  "consume.recorded",
  /** A suspect's start is committed. */
  "consume.started",
  /** A large body is here, its row has none yet. */
  "consume.body_loaded",
  "consume.body_stored",
  /** Rows are locked, no handler has run. */
  "consume.locked",
  /** Handlers have run, the outcome is not written. */
  "consume.handled",
  /** Effect and outcome are written, COMMIT is not sent. */
  "consume.settled",
  /** Committed; this consumer is all that knows. */
  "consume.committed",
  /** A delivery is split, its rows committed; no message is sent for them. */
  "consume.split",
  "consume.split_sent",
  /** A failed attempt is written down. */
  "consume.counted",
  "consume.after_begun",
  /** The outside world has heard, the ledger does not know. */
  "consume.after_ran",
  "consume.after_ended",
  /** Starts of what is given back are cleared. */
  "consume.released",
  /** The claim knows; the message is not acknowledged. */
  "consume.told",
  /** The claim keeps an event that went around it; the message is not given back. */
  "consume.adopted",
  "dead_letter.received",
  /** A fresh message is sent, the old one not acknowledged. */
  "dead_letter.sent",
  "dead_letter.passed_on",
  /** Rows are stamped as sent, no message is. */
  "sweep.stamped",
  "sweep.sent",
] as const;

export type FaultPoint = (typeof FAULT_POINTS)[number];

/** Decides what happens at a point: resolves to go on, rejects to fail there, or never does either. */
export type FaultController = (point: FaultPoint) => Promise<void>;

let controller: FaultController | null = null;

/** For an entry of the crash tests. */
export function setFaultController(given: FaultController): void {
  controller = given;
}

/** Call it as `if (FAULTS) await faultPoint(...)`. In the object an await is a door: only where one is already, or before anything is read. */
export async function faultPoint(point: FaultPoint): Promise<void> {
  if (FAULTS) await controller?.(point);
}
