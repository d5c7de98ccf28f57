/** What an order led to, as a code in the query of the page that follows. Only these words are ever shown: a link cannot make the console say something. */
export const FLASHES = {
  replayed: "Replayed. It runs with the next batch.",
  replayed_send_refused: "Replayed. The queue did not take its message; the sweep sends it within the hour.",
  forced: "Forced. Its effect happens once more.",
  discarded: "Discarded. It counts as skipped, and can still be replayed.",
  erased: "Erased. The row stays, so that a late delivery does not run again.",
  erased_copy_left: "Erased in the ledger. A copy may be left, since its object did not answer: erase it again.",
  replay_started: "The replay has started.",
  replay_cancelled: "The replay is cancelled. What it had opened stays open.",
} as const;

export type Flash = keyof typeof FLASHES;

export function flashText(code: string | undefined): string | null {
  return code !== undefined && Object.hasOwn(FLASHES, code) ? FLASHES[code as Flash] : null;
}
