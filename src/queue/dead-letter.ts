/**
 * The consumer of `events-dlq`, which only catches messages whose retries ran out. That says nothing about the event, so it never judges:
 * a settled row's claim is told, anything else gets a fresh message.
 */
import { encodeMessage, decodeMessage } from "../core/message.ts";
import { delaySeconds } from "../core/retry.ts";
import { faultPoint } from "../fault-points.ts";
import { errorText, log } from "../log.ts";
import { readStatuses } from "../store/statements/read-statuses.ts";
import { conclude } from "./conclude.ts";
import type { Consumer } from "./consume.ts";
import { Session } from "./session.ts";
import { giveBack, type Received, toWorks, type Work } from "./work.ts";

export async function deadLetter(batch: MessageBatch, consumer: Consumer): Promise<void> {
  const received: Received[] = [];
  for (const handle of batch.messages) {
    const decoded = decodeMessage(handle.body);
    if (decoded.ok) received.push({ handle, message: decoded.value });
    else await passOn(handle, decoded.failure.reason, consumer);
  }
  const works = toWorks(received);
  try {
    if (FAULTS) await faultPoint("dead_letter.received");
    await judgeNothing(works, consumer);
  } catch (error) {
    log("warn", "outage", { phase: "dead_letter", error: errorText(error) });
    giveBack(works, { kind: "outage", reason: errorText(error) });
  }
  await conclude(works, consumer);
}

/** Written by a newer version, which will read it when it is deployed again: as it is, it goes round, loudly. */
async function passOn(handle: Message, reason: string, { env, config }: Consumer): Promise<void> {
  log("error", "message_unreadable", {
    reason,
    attempt: handle.attempts,
    hint: "kept going round: a newer version wrote it, or it is not Holdfast's",
  });
  const delay = delaySeconds(config.timings.deadLetterDelayMs);
  try {
    await env.EVENTS.send(handle.body, { contentType: "v8", delaySeconds: delay });
    if (FAULTS) await faultPoint("dead_letter.passed_on");
    handle.ack();
  } catch {
    handle.retry({ delaySeconds: delay });
  }
}

async function judgeNothing(works: readonly Work[], { env, config }: Consumer): Promise<void> {
  const session = new Session(env.HYPERDRIVE, config);
  const rows = await readStatuses(
    session.db,
    works.map((work) => work.key),
  );
  for (const work of works) {
    const row = rows.find((one) => one.source === work.key.source && one.id === work.key.id);
    if (row !== undefined && row.status !== "pending") work.settled = { status: row.status, opening: row.opening, stored: row.hasBody };
    if (row?.status === "failed" && row.opening < work.message.opening) work.settled = null;
    work.owesAfter = row?.after === "owed";
    if (work.settled !== null && !work.owesAfter) continue;
    await env.EVENTS.send(encodeMessage(work.message), { contentType: "v8", delaySeconds: delaySeconds(config.timings.deadLetterDelayMs) });
    if (FAULTS) await faultPoint("dead_letter.sent");
    work.owesAfter = false;
    log("warn", "retries_used_up", {
      source: work.key.source,
      eventId: work.key.id,
      outcome: "sent_again",
      delayMs: config.timings.deadLetterDelayMs,
    });
  }
}
