/** Bytes for a row that has none: from the claim, one body at a time, committed before the handler runs. */
import { eventKeyText } from "../core/event.ts";
import { within } from "../deadline.ts";
import { sha256Hex } from "../digest.ts";
import { faultPoint } from "../fault-points.ts";
import { errorText, log } from "../log.ts";
import { storeBody } from "../store/statements/body.ts";
import { readEvent } from "../store/statements/read-event.ts";
import type { Alone, Seen } from "./alone.ts";
import type { Session } from "./session.ts";
import { statementFor } from "./statement.ts";
import type { Work } from "./work.ts";

/** Whether the row has bytes now. If not, the work is decided: given back, or a dead letter without bytes. */
export async function fetchBody(work: Work, seen: Seen, session: Session, env: Pick<Env, "CLAIMS">, alone: Alone): Promise<boolean> {
  const body = await load(work, session, env);
  if (body === undefined) return false;
  if (body !== null) {
    if (FAULTS) await faultPoint("consume.body_loaded");
    const stored = await statementFor(work, "record", session, async () => {
      await storeBody(session.db, work.key, body);
      return true;
    });
    if (FAULTS) await faultPoint("consume.body_stored");
    return stored === true;
  }
  // The claim can be reached and has none. Before that is the event's end, the row is asked again: a copy may have been quicker.
  const row = await statementFor(work, "record", session, () => readEvent(session.db, work.key));
  if (row === undefined) return false;
  if (row?.hasBody === true) return true;
  await alone.count(
    work,
    seen,
    { class: "permanent", message: "neither the claim nor the ledger has the event's bytes", stack: "", sqlstate: null, constraint: null },
    "record",
    { reason: "bytes_missing" },
  );
  return false;
}

/** null: the claim has none; undefined: it could not be reached, which says nothing. */
async function load(
  work: Work,
  session: Session,
  env: Pick<Env, "CLAIMS">,
): Promise<{ readonly digest: string; readonly bytes: Uint8Array } | null | undefined> {
  let reason = "";
  try {
    const answer = await within(session.config.timings.relaySendMs, "claim", env.CLAIMS.getByName(eventKeyText(work.key)).load());
    if (answer.error === null) {
      if (answer.body === null) return null;
      const { digest, bytes } = answer.body;
      if ((await sha256Hex(bytes)) === digest) return { digest, bytes };
      log("error", "claim_bytes_damaged", { source: work.key.source, eventId: work.key.id, bytes: bytes.byteLength });
      return null;
    }
    reason = answer.error;
  } catch (error) {
    reason = errorText(error);
  }
  work.again = { kind: "outage", reason: `the claim could not be reached for the bytes: ${reason}` };
  return undefined;
}
