/** What is explored: the production decisions themselves, the statements' mirrors, and the few orders that only the shells know. A mutant replaces one. */
import { step } from "../../src/core/claim.ts";
import { encodeMessage, messageForRow } from "../../src/core/message.ts";
import { isEarly, isKiller, judge, planRow } from "../../src/core/settlement.ts";
import { timings } from "../../src/core/timings.ts";
import { toWorks } from "../../src/queue/work.ts";
import { classify } from "../../src/store/classify.ts";
import * as ledger from "./ledger.ts";
import type { Sent } from "./world.ts";

/** The shells' orders, each mirrored by one function of the explorer. */
const SHELLS = {
  /** event-claim.ts: `#step` puts a lost alarm right. */
  rearms: true,
  /** event-claim.ts: `#step` writes before it sends, and before it answers. */
  savesFirst: true,
  /** conclude.ts: what went around its claim is handed to it before it waits. */
  adopts: true,
  /** lock.ts: `for update`. */
  locks: true,
  /** dead-letter.ts: retries used up say nothing about the event. */
  sendsAgain: true,
  /** conclude.ts: the claims of rows found settled are told as well. */
  tellsFound: true,
  /** alone.ts: the handler gets the row's bytes, not the message's. */
  runsRowsBytes: true,
  /** after.ts: owed until it is known to have run. */
  afterUntilDone: true,
  /** sweep.ts runs at all. */
  sweeps: true,
};

const SIGNED: Readonly<Record<Sent, boolean>> = { A: true, B: true, F: false };

export const PRODUCTION = {
  step,
  planRow,
  isKiller,
  isEarly,
  judge,
  classify,
  toWorks,
  encodeMessage,
  messageForRow,
  ledger: { ...ledger },
  shells: SHELLS,
  /** Which deliveries pass verification; verdicts.ts asks the production scheme. */
  verdicts: SIGNED,
  timings: timings("real"),
};

export type Rules = typeof PRODUCTION;
