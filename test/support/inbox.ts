/** The queue's consumer in tests of what comes before it: takes every batch of the real local queue, remembers the messages, runs nothing. */
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { decodeMessage, type EventMessage } from "../../src/core/message.ts";
import { control } from "./control.ts";

export class Inbox {
  readonly #messages: EventMessage[] = [];
  /** What no consumer could make sense of: a test that cares expects none. */
  readonly unreadable: unknown[] = [];

  /** From now on the queue's batches come here. */
  static open(): Inbox {
    const inbox = new Inbox();
    control.queue = async (batch) => {
      for (const { body } of batch.messages) {
        const read = decodeMessage(body);
        if (read.ok) inbox.#messages.push(read.value);
        else inbox.unreadable.push(body);
      }
      batch.ackAll();
    };
    return inbox;
  }

  /** Once the queue has brought this many messages of the event. */
  async until(id: string, count: number): Promise<readonly EventMessage[]> {
    await expect.poll(() => this.of(id).length, { timeout: 15_000 }).toBeGreaterThanOrEqual(count);
    return this.of(id);
  }

  /** Once everything that was sent before has been here: the local queue keeps its order. */
  async drained(): Promise<void> {
    const marker = `marker_${crypto.randomUUID()}`;
    const facts = {
      source: "generic",
      id: marker,
      type: "",
      receivedAtMs: 0,
      occurredAtMs: null,
      digest: "",
      contentType: "",
      headers: {},
      bytesLength: 0,
    };
    await env.EVENTS.send({ v: 1, facts, opening: 0, direct: false, duplicates: 0, mismatches: 0, bytes: null } satisfies EventMessage, {
      contentType: "v8",
    });
    await this.until(marker, 1);
  }

  of(id: string): readonly EventMessage[] {
    return this.#messages.filter(({ facts }) => facts.id === id);
  }
}
