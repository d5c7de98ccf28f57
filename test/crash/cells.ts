/** How each fault point is reached: one entry a point, so that a new point without one does not compile. */
import type { FaultPoint } from "../../src/fault-points.ts";
import type { FaultPlan } from "../support/fault-controller.ts";

/** What is sent. `twins`: each delivery twice at once. */
export type Sending = "one" | "twins" | "five" | "large" | "counted" | "after" | "split";

export interface Cell {
  readonly sending: Sending;
  readonly ways: FaultPlan["ways"];
  readonly queue: FaultPlan["queue"];
}

const cell = (sending: Sending, ways: FaultPlan["ways"] = [], queue: FaultPlan["queue"] = null): Cell => ({ sending, ways, queue });

/** Both tries of the claim's RPC: ingest goes around it. */
const UNREACHABLE: FaultPlan["ways"] = [{ point: "claim.delivering", action: "throw", times: 2 }];
/** The consumer gives its batch back. */
const GIVEN_BACK: FaultPlan["ways"] = [{ point: "consume.recorded", action: "throw", times: 1 }];
/** The first send fails: the alarm sends again. */
const UNSENT: FaultPlan["ways"] = [{ point: "claim.synced", action: "throw", times: 1 }];
/** A run that never ended makes the event a suspect. */
const ENDED: FaultPlan["ways"] = [{ point: "consume.locked", action: "kill", times: 1 }];

/** Until the event is on the queue, and what the claim hears later. */
const RECEIPT = {
  "ingest.verified": [cell("twins")],
  "ingest.claimed": [cell("twins"), cell("large")],
  "ingest.unclaimed": [cell("one", UNREACHABLE)],
  "ingest.direct_row": [cell("large", UNREACHABLE)],
  "ingest.direct_sent": [cell("one", UNREACHABLE), cell("large", UNREACHABLE)],
  "claim.delivering": [cell("twins")],
  "claim.delivered": [cell("twins"), cell("large")],
  "claim.adopted": [cell("one", [...UNREACHABLE, ...GIVEN_BACK])],
  "claim.settled": [cell("one")],
  "claim.loading": [cell("large")],
  "claim.alarm": [cell("one", UNSENT)],
  "claim.alarmed": [cell("one", UNSENT)],
  "claim.synced": [cell("twins")],
  "claim.sent": [cell("twins")],
};
/** A batch, up to its commit; a delivery that is split, up to its messages. */
const RUN = {
  "consume.received": [cell("twins")],
  "consume.recorded": [cell("five")],
  "consume.started": [cell("one", ENDED)],
  "consume.body_loaded": [cell("large")],
  "consume.body_stored": [cell("large")],
  // Alone, and many in one transaction.
  "consume.locked": [cell("one"), cell("five")],
  "consume.handled": [cell("one"), cell("five")],
  "consume.settled": [cell("one"), cell("five")],
  "consume.committed": [cell("one"), cell("five")],
  "consume.split": [cell("split")],
  "consume.split_sent": [cell("split")],
};
/** Rows that only the sweep finds: their delivery is split, and its messages were never sent. */
const UNSPLIT: FaultPlan["ways"] = [{ point: "consume.split", action: "throw", times: 1 }];
/** What follows the commit, or a failure. */
const CONCLUSION = {
  "consume.counted": [cell("counted")],
  "consume.after_begun": [cell("after")],
  "consume.after_ran": [cell("after")],
  "consume.after_ended": [cell("after")],
  "consume.released": [cell("one", GIVEN_BACK)],
  "consume.told": [cell("five")],
  "consume.adopted": [cell("one", [...UNREACHABLE, ...GIVEN_BACK])],
  "dead_letter.received": [cell("one", [], "events-dlq")],
  "dead_letter.sent": [cell("one", [], "events-dlq")],
  "dead_letter.passed_on": [cell("one", [], "newer")],
  "sweep.stamped": [cell("split", UNSPLIT)],
  "sweep.sent": [cell("split", UNSPLIT)],
};

/** One stack each. */
const SUITES = { receipt: RECEIPT, run: RUN, conclusion: CONCLUSION } as const;
const CELLS: Readonly<Record<FaultPoint, readonly Cell[]>> = { ...RECEIPT, ...RUN, ...CONCLUSION };

export type Suite = keyof typeof SUITES;

export interface NamedCell extends Cell {
  readonly point: FaultPoint;
}

export function cellsOf(suite: Suite): NamedCell[] {
  return (Object.keys(SUITES[suite]) as FaultPoint[]).flatMap((point) => CELLS[point].map((one) => ({ ...one, point })));
}
