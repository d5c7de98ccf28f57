/** Posts deliveries, so many at a time, and notes every answer. */
import { isExpected, type Answer, type Delivery } from "./plan.ts";
import type { SignedEvent } from "./request.ts";

const ANSWER_MS = 60_000;

export async function postAll(
  url: string,
  deliveries: readonly Delivery[],
  make: (delivery: Delivery) => Promise<SignedEvent>,
  concurrency: number,
  progress: (done: number, unexpected: number) => void,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  let unexpected = 0;
  const queue = deliveries.values();
  const worker = async (): Promise<void> => {
    for (const delivery of queue) {
      const answer = await post(url, delivery, await make(delivery));
      answers.push(answer);
      if (!isExpected(answer)) unexpected++;
      progress(answers.length, unexpected);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, deliveries.length) }, worker));
  return answers;
}

async function post(url: string, delivery: Delivery, { headers, body }: SignedEvent): Promise<Answer> {
  try {
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS) });
    const text = await response.text();
    const outcome = response.headers.get("holdfast-status") ?? `no holdfast-status (HTTP ${response.status})`;
    return { ...delivery, status: response.status, outcome, detail: text.slice(0, 300) };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { ...delivery, status: 0, outcome: "no answer", detail: cause instanceof Error ? cause.message : String(cause) };
  }
}
