/** Posts deliveries, so many at a time, and notes every answer. */
import type { Signed } from "../../src/schemes/scheme.ts";
import { isExpected, type Answer, type Delivery } from "./plan.ts";

const ANSWER_MS = 60_000;

/** `make`: the request, with the URL that it is posted to. */
export async function postAll(
  deliveries: readonly Delivery[],
  make: (delivery: Delivery) => Promise<Signed>,
  concurrency: number,
  progress: (done: number, unexpected: number) => void,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  let unexpected = 0;
  const queue = deliveries.values();
  const worker = async (): Promise<void> => {
    for (const delivery of queue) {
      const answer = await post(delivery, await make(delivery));
      answers.push(answer);
      if (!isExpected(answer)) unexpected++;
      progress(answers.length, unexpected);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, deliveries.length) }, worker));
  return answers;
}

async function post(delivery: Delivery, { method, url, headers, body }: Signed): Promise<Answer> {
  try {
    const response = await fetch(url, { method, headers, body: Uint8Array.from(body), redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS) });
    const text = await response.text();
    const outcome = response.headers.get("holdfast-status") ?? `no holdfast-status (HTTP ${response.status})`;
    return { ...delivery, status: response.status, outcome, detail: text.slice(0, 300) };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { ...delivery, status: 0, outcome: "no answer", detail: cause instanceof Error ? cause.message : String(cause) };
  }
}
