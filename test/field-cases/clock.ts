/** The time at which the cases' requests were signed. It stands for the delivery alone: objects, alarms, the queue and the consumer keep the real one. */
import { AsyncLocalStorage } from "node:async_hooks";
import { vi } from "vitest";

/** 2026-01-01T00:00:00Z. */
export const T0_MS = 1_767_225_600_000;

const standing = new AsyncLocalStorage<number>();
const realNow = Date.now.bind(Date);
// The platform fires alarms by the real time.
vi.spyOn(Date, "now").mockImplementation(() => standing.getStore() ?? realNow());

export const atTime = <T>(nowMs: number, work: () => T): T => standing.run(nowMs, work);
