/** Gives every event of a batch its committed row, in slices; a slice that Postgres cannot take goes row by row, so that one bad row costs nobody else. */
import { LARGE_BODY_BYTES, RECORD_SLICE_BYTES } from "../core/limits.ts";
import { isEarly } from "../core/settlement.ts";
import { slicesOf } from "../core/slices.ts";
import { classify } from "../store/classify.ts";
import { readEvent } from "../store/statements/read-event.ts";
import { record, type RecordedRow, type RecordRow } from "../store/statements/record.ts";
import { recordUnstorable } from "../store/statements/unstorable.ts";
import { logFailed } from "./log-outcome.ts";
import { Outage, type Session } from "./session.ts";
import { statementFor } from "./statement.ts";
import type { Work } from "./work.ts";

/** Works without an entry: their row is held by another consumer, or they are settled as unstorable. */
export async function recordAll(works: readonly Work[], session: Session): Promise<Map<Work, RecordedRow>> {
  const recorded = new Map<Work, RecordedRow>();
  for (const slice of slicesOf(works, weightOf, RECORD_SLICE_BYTES)) {
    try {
      note(slice, await record(session.db, slice.map(toRow), "skip"), recorded);
    } catch (error) {
      const failure = classify(error, { phase: "record", openedAgoMs: 0, timings: session.config.timings });
      if (failure.class !== "permanent") throw new Outage(`record: ${failure.message}`, { cause: error });
      for (const work of slice) await recordOne(work, session, recorded);
    }
  }
  return recorded;
}

/** For a row that somebody else holds: waits for it, bounded by the lock timeout. undefined: given back. */
export async function recordHeld(work: Work, session: Session): Promise<RecordedRow | undefined> {
  const rows = await statementFor(work, "record", session, () => session.transaction(({ db }) => record(db, [toRow(work)], "wait")));
  const row = rows?.[0];
  if (row !== undefined) noteStart(work, row);
  else work.again ??= { kind: "wait", delayMs: session.config.timings.transientDelayMs, reason: "its row is held by another consumer" };
  return row;
}

async function recordOne(work: Work, session: Session, recorded: Map<Work, RecordedRow>): Promise<void> {
  try {
    note([work], await record(session.db, [toRow(work)], "skip"), recorded);
  } catch (error) {
    const failure = classify(error, { phase: "record", openedAgoMs: 0, timings: session.config.timings });
    if (failure.class !== "permanent") throw new Outage(`record: ${failure.message}`, { cause: error });
    const { message, key } = work;
    const isWritten = await recordUnstorable(session.db, message.facts, message.opening, message.bytes, failure);
    if (!isWritten) {
      // What stands is the row that was there; this message has nothing to add to it.
      const row = await readEvent(session.db, key);
      if (row !== null && row.status !== "pending") work.settled = { status: row.status, opening: row.opening, stored: row.hasBody };
      else work.again = { kind: "wait", delayMs: session.config.timings.transientDelayMs, reason: "its row was there already" };
      return;
    }
    work.settled = { status: "failed", opening: message.opening, stored: message.bytes !== null };
    logFailed(work, { outcome: "failed", opening: message.opening, failure, phase: "record", handlerMs: null, reason: "unstorable" });
  }
}

function note(works: readonly Work[], rows: readonly RecordedRow[], recorded: Map<Work, RecordedRow>): void {
  for (const work of works) {
    const row = rows.find((one) => one.source === work.key.source && one.id === work.key.id);
    if (row === undefined) continue;
    recorded.set(work, row);
    noteStart(work, row);
  }
}

/** Only a start that this record made is this consumer's to clear. */
function noteStart(work: Work, row: RecordedRow): void {
  if (row.status === "pending" && row.unfinishedStarts === 0 && !isEarly(row)) work.starts = 1;
}

function toRow({ message }: Work): RecordRow {
  const { facts, opening, duplicates, mismatches, bytes } = message;
  return { facts, opening, duplicates, mismatches, bytes };
}

/** As base64; a large body alone. */
function weightOf({ message }: Work): number {
  const bytes = message.bytes?.byteLength ?? 0;
  return bytes > LARGE_BODY_BYTES ? RECORD_SLICE_BYTES : Math.ceil((bytes * 4) / 3);
}
