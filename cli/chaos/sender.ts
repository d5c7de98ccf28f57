/** The providers: delivers what the schedule says when it says, tries again what was not taken, and remembers every answer. */
import { setTimeout as wait } from "node:timers/promises";
import type { Signed } from "../../src/schemes/scheme.ts";
import type { PlannedDelivery, PlannedEvent } from "./schedule.ts";

export interface Answer {
  readonly event: PlannedEvent;
  readonly atMs: number;
  /** 0: none. */
  readonly status: number;
  /** It went around its claim: the local queue alone has it. */
  readonly isDirect: boolean;
}

export interface Sender {
  readonly answers: readonly Answer[];
  /** Deliveries posted, with those that were tried again. */
  readonly sent: number;
  /** Resolves when the last one has its answer. */
  readonly done: Promise<void>;
  stop(): void;
}

const ANSWER_MS = 20_000;
/** As a provider would, only sooner. */
const AGAIN_MS = [1_500, 4_000, 8_000] as const;
const IN_FLIGHT = 64;
/** The lag may grow while a delivery waits for its time. */
const LOOK_MS = 100;

export const isAck = ({ status }: Pick<Answer, "status">): boolean => status >= 200 && status < 300;

/** `make`: the signed request, anew for each delivery. `lagMs`: by how much later than planned things happen now. */
export function startSending(deliveries: readonly PlannedDelivery[], make: (event: PlannedEvent) => Promise<Signed>, lagMs: () => number): Sender {
  const answers: Answer[] = [];
  const startMs = Date.now();
  const stopping = new AbortController();
  const inFlight = new Set<Promise<void>>();
  let sent = 0;
  const deliver = async (event: PlannedEvent): Promise<void> => {
    for (const againMs of [...AGAIN_MS, null]) {
      sent++;
      const answer = await post(event, await make(event));
      answers.push(answer);
      // A refused forgery is what its sender has to live with.
      if (isAck(answer) || againMs === null || answer.status === 401) return;
      await pause(againMs, stopping.signal);
      if (stopping.signal.aborted) return;
    }
  };
  const run = async (): Promise<void> => {
    for (const { atMs, event } of deliveries) {
      const leftMs = (): number => startMs + atMs + lagMs() - Date.now();
      while (leftMs() > 0 && !stopping.signal.aborted) await pause(Math.min(leftMs(), LOOK_MS), stopping.signal);
      if (inFlight.size >= IN_FLIGHT) await Promise.race(inFlight);
      if (stopping.signal.aborted) break;
      const delivery = deliver(event).finally(() => void inFlight.delete(delivery));
      inFlight.add(delivery);
    }
    await Promise.all(inFlight);
  };
  return {
    answers,
    get sent() {
      return sent;
    },
    done: run(),
    stop: () => stopping.abort(),
  };
}

async function post(event: PlannedEvent, { method, url, headers, body }: Signed): Promise<Answer> {
  try {
    const response = await fetch(url, { method, headers, body: Uint8Array.from(body), signal: AbortSignal.timeout(ANSWER_MS) });
    await response.arrayBuffer();
    return { event, atMs: Date.now(), status: response.status, isDirect: response.headers.has("chaos-direct") };
  } catch {
    return { event, atMs: Date.now(), status: 0, isDirect: false };
  }
}

async function pause(forMs: number, signal: AbortSignal): Promise<void> {
  if (forMs > 0) await wait(forMs, undefined, { signal }).catch(() => {});
}
