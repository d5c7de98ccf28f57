/** Many messages in as few sends as the platform allows; what is refused is said, and never thrown. */
import { describe, expect, it } from "vitest";
import { SEND_BATCH_BYTES, SEND_BATCH_MESSAGES } from "../../src/core/limits.ts";
import { type EventMessage, messageForRow } from "../../src/core/message.ts";
import { sendSlices } from "../../src/core/send-slices.ts";
import { sendMessages } from "../../src/send-messages.ts";

const message = (n: number, pad = ""): EventMessage =>
  messageForRow({
    source: "batches",
    id: `item_${n}`,
    type: "t",
    receivedAtMs: 1,
    occurredAtMs: null,
    digest: "d",
    contentType: "application/json",
    headers: { pad },
    bytesLength: 2,
    opening: 1,
  });
const many = (count: number, pad = "") => Array.from({ length: count }, (_, n) => message(n, pad));
const timings = { relaySendMs: 50 };

function queue(answer: (call: number) => Promise<void>) {
  const sizes: number[] = [];
  const sendBatch = async (messages: Iterable<MessageSendRequest>) => {
    sizes.push([...messages].length);
    await answer(sizes.length);
    return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
  };
  return { sizes, queue: { sendBatch } as unknown as Pick<Queue, "sendBatch"> };
}
const refuse = () => Promise.reject(new Error("queue is full"));

describe("slices", () => {
  it("hold all messages in their order, none more than the platform takes", () => {
    for (const messages of [[], many(1), many(100), many(101), many(250, "x".repeat(8_000)), many(3, "ż".repeat(8_000))]) {
      const slices = sendSlices(messages);
      expect(slices.flat()).toEqual(messages);
      for (const slice of slices) {
        expect(slice.length).toBeGreaterThan(0);
        expect(slice.length).toBeLessThanOrEqual(SEND_BATCH_MESSAGES);
        expect(2 * JSON.stringify(slice.map(({ facts }) => facts)).length).toBeLessThanOrEqual(SEND_BATCH_BYTES);
      }
    }
  });
});

describe("sending", () => {
  it("takes as few sends as there are slices", async () => {
    const { sizes, queue: real } = queue(async () => undefined);
    expect(await sendMessages(real, many(250), timings)).toMatchObject({ unsent: [], error: null });
    expect(sizes).toEqual([100, 100, 50]);
    expect(await sendMessages(real, [], timings)).toEqual({ sent: [], unsent: [], error: null });
    expect(sizes).toHaveLength(3);
  });

  it("goes on after a refusal: it may have been about one slice", async () => {
    const { queue: real } = queue((call) => (call === 1 ? refuse() : Promise.resolve()));
    const { sent, unsent, error } = await sendMessages(real, many(250), timings);
    expect([sent.length, unsent.length, error]).toEqual([150, 100, "Error: queue is full"]);
  });

  it("leaves the rest alone after three refusals in a row, and loses count of none", async () => {
    const { sizes, queue: real } = queue((call) => (call === 2 ? Promise.resolve() : refuse()));
    const { sent, unsent } = await sendMessages(real, many(1_000), timings);
    expect(sizes).toHaveLength(5);
    expect([sent.length, unsent.length]).toEqual([100, 900]);
    expect(new Set([...sent, ...unsent].map(({ facts }) => facts.id)).size).toBe(1_000);
  });

  it("does not wait for a queue that hangs", async () => {
    const { queue: real } = queue(() => new Promise<never>(() => {}));
    const { unsent, error } = await sendMessages(real, many(1_000), timings);
    expect([unsent.length, error]).toEqual([1_000, "DeadlinePassed: queue.sendBatch: no answer within 50 ms"]);
  });
});
