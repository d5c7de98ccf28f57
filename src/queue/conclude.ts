/** The end of a batch: claims are told what the rows say, messages acknowledged or given back, one by one. Nothing here can fail the batch. */
import { isItem } from "../providers/items.ts";
import { eventKeyText, owned } from "../core/event.ts";
import { TELL_CONCURRENCY } from "../core/limits.ts";
import { delaySeconds, transientDelayMs } from "../core/retry.ts";
import { within } from "../deadline.ts";
import { faultPoint } from "../fault-points.ts";
import { errorText, log } from "../log.ts";
import type { Consumer } from "./consume.ts";
import type { Work } from "./work.ts";

export async function conclude(works: readonly Work[], consumer: Consumer): Promise<void> {
  const waiting = [...works];
  const lanes = Array.from({ length: Math.min(TELL_CONCURRENCY, waiting.length) }, async () => {
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) await concludeOne(work, consumer);
  });
  await Promise.all(lanes);
}

async function concludeOne(work: Work, consumer: Consumer): Promise<void> {
  // Before a message that the claim never saw is made to wait, the claim gets it: a queue that loses it then loses nothing.
  if (work.again !== null && work.settled === null && work.message.direct) await adopt(work, consumer);
  // An event of a delivery that was split has no claim: telling one would make it.
  if (work.settled !== null && !isItem(consumer.provider(work.key.source), work.message.facts)) await tell(work, consumer);
  for (const handle of work.handles) {
    if (work.again === null) handle.ack();
    else {
      const delayMs = work.again.kind === "wait" ? work.again.delayMs : transientDelayMs(handle.attempts, Math.random(), consumer.config.timings);
      handle.retry({ delaySeconds: delaySeconds(delayMs) });
    }
  }
}

/** Once more on a fresh stub, then let be: the ledger is the authority, and the next delivery repairs the claim. */
async function tell(work: Work, { env, config }: Consumer): Promise<void> {
  const { settled } = work;
  if (settled === null) return;
  const status = settled.status === "failed" ? "failed" : "completed";
  await twice(work, "claim_not_told", config, () =>
    env.CLAIMS.getByName(eventKeyText(work.key)).settle({ status, opening: settled.opening, stored: settled.stored }),
  );
}

async function adopt(work: Work, { env, config }: Consumer): Promise<void> {
  const { facts, opening, bytes } = work.message;
  await twice(work, "not_adopted", config, () =>
    env.CLAIMS.getByName(eventKeyText(work.key)).adopt({ facts, opening, bytes: bytes === null ? null : owned(bytes) }),
  );
}

async function twice(work: Work, event: string, config: Consumer["config"], call: () => Promise<{ readonly error: string | null }>): Promise<void> {
  let error = "";
  for (let tries = 0; tries < 2; tries++) {
    try {
      const answer = await within(config.timings.claimRpcMs, "claim", call());
      if (FAULTS) await faultPoint(event === "not_adopted" ? "consume.adopted" : "consume.told");
      if (answer.error === null) return;
      error = answer.error;
    } catch (thrown) {
      error = errorText(thrown);
    }
  }
  log("warn", event, { source: work.key.source, eventId: work.key.id, error });
}
