/** One event with all that is known of it: the ledger's row, its failures, its operators' orders, its claim, its payload. */
import type { EventKey } from "../core/event.ts";
import { PAYLOAD_SHOWN_BYTES, STORY_ATTEMPTS_LIMIT, STORY_AUDIT_LIMIT } from "../core/limits.ts";
import type { EventStory } from "../core/operators.ts";
import { NO_PAYLOAD, shownPayload } from "../core/payload.ts";
import { reading } from "../store/reading.ts";
import { readAttempts } from "../store/statements/read-attempts.ts";
import { readAudit } from "../store/statements/read-audit.ts";
import { readBody } from "../store/statements/read-body.ts";
import { readEvent } from "../store/statements/read-event.ts";
import type { Desk } from "./desk.ts";
import { seeClaim } from "./see-claim.ts";

/** null: the ledger does not know it. */
export async function seeStory(desk: Desk, key: EventKey): Promise<EventStory | null> {
  const told = await reading(desk.db, desk.config.timings, async (tx) => {
    const row = await readEvent(tx, key);
    if (row === null) return null;
    const attemptLog = await readAttempts(tx, key, STORY_ATTEMPTS_LIMIT);
    const audit = await readAudit(tx, key, STORY_AUDIT_LIMIT);
    const bytes = row.hasBody ? await readBody(tx, key, PAYLOAD_SHOWN_BYTES) : null;
    const payload = bytes === null ? NO_PAYLOAD : shownPayload(bytes, row.bytesLength > PAYLOAD_SHOWN_BYTES);
    return { ...row, attemptLog, audit, payload };
  });
  return told === null ? null : { ...told, claim: await seeClaim(desk, key) };
}
