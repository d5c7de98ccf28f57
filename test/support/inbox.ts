/** The queue's consumer in tests of what comes before it: takes every batch of the real local queue, remembers the messages, runs nothing. */
import { decodeMessage, type EventMessage } from "../../src/core/message.ts";
import { control } from "./control.ts";

export class Inbox {
  readonly #messages: EventMessage[] = [];

  /** From now on the queue's batches come here. */
  static open(): Inbox {
    const inbox = new Inbox();
    control.queue = async (batch) => {
      for (const { body } of batch.messages) {
        const read = decodeMessage(body);
        if (!read.ok) throw new Error(`unreadable message: ${JSON.stringify(read.failure)}`);
        inbox.#messages.push(read.value);
      }
      batch.ackAll();
    };
    return inbox;
  }

  of(id: string): readonly EventMessage[] {
    return this.#messages.filter(({ facts }) => facts.id === id);
  }
}
