/** Asks the event's claim, once more on a fresh stub, and says when there is no answer. It never throws, and ends while a provider still waits. */
import type { DeliverAnswer } from "../claim/event-claim.ts";
import { eventKeyText, type VerifiedEvent } from "../core/event.ts";
import type { Timings } from "../core/timings.ts";
import { within } from "../deadline.ts";
import { errorText } from "../log.ts";

export interface Claimed {
  readonly kind: NonNullable<DeliverAnswer["kind"]>;
  readonly otherDigest: string | null;
}

/** null: unreachable, as far as can be told. No answer never means "not claimed": what follows must be safe either way. */
type Asked = { readonly answer: Claimed; readonly error: null } | { readonly answer: null; readonly error: string };

export async function claim(claims: Env["CLAIMS"], event: VerifiedEvent, timings: Pick<Timings, "claimRpcMs" | "claimBudgetMs">): Promise<Asked> {
  try {
    return await within(timings.claimBudgetMs, "claim", askTwice(claims, event, timings.claimRpcMs));
  } catch (passed) {
    return { answer: null, error: errorText(passed) };
  }
}

async function askTwice(claims: Env["CLAIMS"], event: VerifiedEvent, claimRpcMs: number): Promise<Asked> {
  const { bytes, ...facts } = event;
  let error = "";
  for (let tries = 0; tries < 2; tries++) {
    try {
      // A stub that failed stays dead after a reset: each try takes a new one.
      const answer = await within(claimRpcMs, "claim", claims.getByName(eventKeyText(event)).deliver({ facts, bytes }));
      if (answer.kind !== null) return { answer: { kind: answer.kind, otherDigest: answer.otherDigest }, error: null };
      error = answer.error ?? "no answer";
    } catch (thrown) {
      error = errorText(thrown);
      // The platform asks not to be asked again. A missing method (version skew) is tried once more like an outage: deploys take seconds.
      if (thrown instanceof Error && "overloaded" in thrown && thrown.overloaded === true) break;
    }
  }
  return { answer: null, error };
}
