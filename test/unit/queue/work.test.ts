/** A batch becomes one work per event, in one order everywhere: the order in which locks are taken. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventKeyText } from "../../../src/core/event.ts";
import type { EventMessage } from "../../../src/core/message.ts";
import { type GiveBack, giveBack, isOpen, type Received, toWorks } from "../../../src/queue/work.ts";
import { eventIds, factsOf, messageOf, sourceNames } from "../core/facts.ts";

function received(message: EventMessage, id = "m"): Received {
  const handle: Message = { id, timestamp: new Date(0), body: message, attempts: 1, ack() {}, retry() {} };
  return { handle, message };
}
const only = (messages: readonly EventMessage[]): EventMessage => {
  const works = toWorks(messages.map((message) => received(message)));
  expect(works).toHaveLength(1);
  return works[0]?.message ?? messageOf();
};
const bytes = (value: number) => new Uint8Array([value]);

describe("works of a batch", () => {
  it("are one per event, hold every message of it, and lose none", () => {
    const messages = fc.array(fc.record({ source: fc.constantFrom("a", "a-b"), id: fc.constantFrom("1", "2", "b:1") }), { maxLength: 40 });
    fc.assert(
      fc.property(messages, (keys) => {
        const all = keys.map((key, index) => received(messageOf({ facts: factsOf(key) }), `m${index}`));
        const works = toWorks(all);
        expect(works.map(({ key }) => eventKeyText(key)).toSorted()).toEqual([...new Set(keys.map(eventKeyText))].toSorted());
        expect(works.flatMap(({ handles }) => handles.map(({ id }) => id)).toSorted()).toEqual(all.map(({ handle }) => handle.id).toSorted());
        for (const { key, handles, message } of works) {
          for (const handle of handles) expect(handle.body).toMatchObject({ facts: key });
          expect(message.facts).toMatchObject(key);
        }
      }),
    );
  });

  it("stand in the same order whatever order the queue chose: other orders deadlock", () => {
    const keys = fc.uniqueArray(fc.record({ source: sourceNames, id: eventIds }), { selector: eventKeyText, maxLength: 20 });
    fc.assert(
      fc.property(
        keys.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([left, right]) => {
          const order = (list: typeof left) => toWorks(list.map((key) => received(messageOf({ facts: factsOf(key) })))).map(({ key }) => key);
          expect(order(left)).toEqual(order(right));
        },
      ),
    );
  });

  it("begin open: nothing settled, started, owed or given back", () => {
    const [work] = toWorks([received(messageOf())]);
    expect(work).toMatchObject({ settled: null, starts: null, owesAfter: false, again: null });
    expect(work !== undefined && isOpen(work)).toBe(true);
  });
});

describe("of several messages of one event", () => {
  const older = messageOf({ opening: 1, bytes: bytes(1) });
  const newer = messageOf({ opening: 2, bytes: bytes(2), facts: factsOf({ digest: "newer" }) });
  const bare = messageOf({ opening: 3 });

  it.each([[[older, newer]], [[newer, older]]])("the newest opening counts", (messages) => {
    expect(only(messages)).toEqual(newer);
  });

  it("bytes of any of them are better than none, with the facts that are theirs", () => {
    for (const messages of [
      [bare, newer],
      [newer, bare],
    ])
      expect(only(messages)).toMatchObject({ opening: 3, bytes: bytes(2), facts: { digest: "newer" } });
    expect(only([bare, messageOf({ opening: 4 })]).bytes).toBeNull();
  });

  it("the highest counts are kept, and one that went around the claim is remembered", () => {
    const message = only([
      messageOf({ opening: 9, duplicates: 1, mismatches: 5 }),
      messageOf({ duplicates: 7, direct: true }),
      messageOf({ mismatches: 2 }),
    ]);
    expect(message).toMatchObject({ opening: 9, duplicates: 7, mismatches: 5, direct: true });
  });

  it("bytes always lie beside the digest that they have, and the opening is the newest", () => {
    const messages = fc.array(fc.record({ opening: fc.nat({ max: 3 }), body: fc.option(fc.nat({ max: 3 })) }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(messages, (all) => {
        const message = only(
          all.map(({ opening, body }) => messageOf({ opening, bytes: body === null ? null : bytes(body), facts: factsOf({ digest: `${body}` }) })),
        );
        expect(message.opening).toBe(Math.max(...all.map(({ opening }) => opening)));
        expect(message.bytes === null).toBe(all.every(({ body }) => body === null));
        if (message.bytes !== null) expect(`${message.bytes[0]}`).toBe(message.facts.digest);
      }),
    );
  });
});

describe("giving back", () => {
  const outage: GiveBack = { kind: "outage", reason: "connection refused" };

  it("leaves alone what is settled or waits for its own reason", () => {
    const [settled, waiting, open] = ["1", "2", "3"].flatMap((id) => toWorks([received(messageOf({ facts: factsOf({ id }) }))]));
    if (settled === undefined || waiting === undefined || open === undefined) throw new Error("three works expected");
    settled.settled = { status: "completed", opening: 1, stored: true };
    waiting.again = { kind: "wait", delayMs: 1, reason: "its next attempt" };
    giveBack([settled, waiting, open], outage);
    expect([settled.again, waiting.again?.kind, open.again]).toEqual([null, "wait", outage]);
    expect([settled, waiting, open].map(isOpen)).toEqual([false, false, false]);
  });
});
