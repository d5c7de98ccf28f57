/** One of our own statements for one event: what goes wrong with it is never the event's fault. */
import { brief, log } from "../log.ts";
import { classify, type Phase } from "../store/classify.ts";
import { Outage, type Session } from "./session.ts";
import type { Work } from "./work.ts";

/** undefined: the event is given back. Throws Outage when the connection is gone: then the rest of the batch is, too. */
export async function statementFor<T>(work: Work, phase: Phase, session: Session, run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    const failure = classify(error, { phase, openedAgoMs: 0, timings: session.config.timings });
    log("warn", "statement_failed", {
      source: work.key.source,
      eventId: work.key.id,
      phase,
      error: brief(failure.message, failure.sqlstate),
      ...(failure.sqlstate === null ? {} : { sqlstate: failure.sqlstate }),
    });
    work.again = { kind: "outage", reason: failure.message };
    if (session.isLost()) throw new Outage(failure.message, { cause: error });
    return undefined;
  }
}
