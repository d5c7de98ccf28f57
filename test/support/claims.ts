/** Looks into an event's object, and does to it what the platform does. The claim's own code is never replaced. */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect } from "vitest";
import type { Claim } from "../../src/core/claim.ts";
import { claimOf } from "./events.ts";

/** For what comes by itself: a loaded machine may take its time, a condition that never comes fails. */
export const soon = <T>(read: () => T) => expect.poll(read, { timeout: 15_000 });

export interface Inside {
  /** What an eviction would leave; null: nothing. */
  readonly record: Claim | null;
  readonly keys: readonly string[];
  readonly alarmMs: number | null;
  /** Rows written since the object's database was made (PLATFORM 11.1). */
  readonly rows: number;
}

export function look(id: string): Promise<Inside> {
  return runInDurableObject(claimOf(id), async (_, state) => ({
    record: state.storage.kv.get<{ claim: Claim }>("claim")?.claim ?? null,
    keys: [...state.storage.kv.list()].map(([key]) => key),
    alarmMs: await state.storage.getAlarm(),
    rows: Number(state.storage.sql.exec("select total_changes() as rows").one()["rows"]),
  }));
}

/** Its alarm fires now; false: none was armed. */
export const fireAlarm = (id: string): Promise<boolean> => runDurableObjectAlarm(claimOf(id));

/** Nothing fires until the test says so: the fast lease is shorter than some tests. Its memory stays. */
export const holdAlarm = (id: string): Promise<void> => runInDurableObject(claimOf(id), (_, state) => state.storage.setAlarm(Date.now() + 3_600_000));

/** It loses its memory, and keeps its disk. */
export const evict = (id: string): Promise<void> => evictDurableObject(claimOf(id));

/** Its storage is changed as only the platform or time could; then it starts anew from there. */
export async function tamper(id: string, change: (state: DurableObjectState) => Promise<void> | void): Promise<void> {
  await runInDurableObject(claimOf(id), (_, state) => change(state));
  await evict(id);
}

/** Its record as it would be if it had been written this much earlier. */
export function age(id: string, ms: number): Promise<void> {
  return tamper(id, ({ storage }) => {
    const stored = storage.kv.get<{ claim: Claim }>("claim");
    if (stored === undefined) throw new Error("nothing to age");
    const { claim } = stored;
    const earlier = (atMs: number | null): number | null => (atMs === null ? null : atMs - ms);
    const aged: Claim = { ...claim, sinceMs: claim.sinceMs - ms, sentMs: earlier(claim.sentMs), refusedSinceMs: earlier(claim.refusedSinceMs) };
    storage.kv.put("claim", { ...stored, claim: aged });
  });
}

export type Send = Env["EVENTS"]["send"];

/** The queue as this one object sees it; its memory, and so this, ends with an eviction. Returns what was asked of it. */
export async function replaceQueue(id: string, send: (real: Send) => Send): Promise<unknown[]> {
  const asked: unknown[] = [];
  await runInDurableObject(claimOf(id), (instance) => {
    const env = Reflect.get(instance, "env") as Env;
    const real = env.EVENTS;
    const replaced = send((body, options) => real.send(body, options));
    const EVENTS = {
      send: (body: unknown, options?: QueueSendOptions) => {
        asked.push(body);
        return replaced(body, options);
      },
    };
    if (!Reflect.set(instance, "env", { ...env, EVENTS })) throw new Error("the object's env cannot be replaced");
  });
  return asked;
}
