/** What a test file may change of the Worker under test: it shares the isolate, and so this module. */
import { handlers } from "#app";
import type { Route } from "#holdfast";

export const control: {
  handlers: readonly Route[];
  /** What happens to a batch from the real local queue. */
  queue: (batch: MessageBatch, run: () => Promise<void>) => Promise<void>;
} = { handlers, queue: (_batch, run) => run() };
