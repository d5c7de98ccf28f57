/** Pure. How a consumer's work begins, goes on and ends: src/queue/work.ts with its phases. */
import type { EventMessage } from "../../src/core/message.ts";
import type { Received } from "../../src/queue/work.ts";
import type { Rules } from "./rules.ts";
import { MESSAGE_RETRIES } from "./scenarios.ts";
import { type ConsumerState, type Entry, put, replaced, type World } from "./world.ts";

export function received(entries: readonly Entry[], rules: Rules): ConsumerState {
  const works = rules.toWorks(entries.map(({ message }): Received => ({ handle: {} as Message, message })));
  const message: EventMessage | undefined = works[0]?.message;
  if (message === undefined || works.length > 1) throw new Error("one event makes one work");
  return {
    phase: "received",
    entries,
    message,
    seen: { opening: 0, attempts: 0 },
    loaded: null,
    starts: null,
    isAlone: false,
    isSuspect: false,
    failure: null,
    settled: null,
    again: null,
    owesAfter: false,
    isCommitted: false,
  };
}

/** What is left to do once the event's own part is over: starts released, claim told, or the event handed to it, message acknowledged. */
export function concluding(state: ConsumerState, rules: Rules): ConsumerState {
  const over: ConsumerState = { ...state, seen: { opening: 0, attempts: 0 }, loaded: null, failure: null, isAlone: false };
  if (over.again !== null && over.starts !== null) return { ...over, phase: "to_release" };
  if (over.settled !== null) return { ...over, phase: rules.shells.tellsFound || over.isCommitted ? "to_tell" : "told" };
  if (over.again !== null && over.message.direct && rules.shells.adopts) return { ...over, phase: "to_adopt" };
  return { ...over, phase: "told" };
}

/** The platform's retry: past the last one, the other queue. */
export function giveMessagesBack(w: World, entries: readonly Entry[], waits: boolean): void {
  for (const entry of entries) {
    if (entry.retries + 1 > MESSAGE_RETRIES) w.deadLetters = put(w.deadLetters, { ...entry, retries: 0, waits: false });
    else w.queue = put(w.queue, { ...entry, retries: entry.retries + 1, waits });
  }
}

/** The isolate is gone: its transaction too, its lease and its starts are not. */
export function die(w: World, index: number): void {
  const state = w.consumers[index];
  if (state === null || state === undefined) return;
  giveMessagesBack(w, state.entries, false);
  if (w.lockedBy === index) w.lockedBy = null;
  w.consumers = replaced(w.consumers, index, null);
}
