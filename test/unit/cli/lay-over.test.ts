import { describe, expect, it } from "vitest";
import { laidOver, layOver } from "../../support/lay-over.ts";

const sample = (body: unknown) => ({ type: "t", body, headers: {} });

describe("laidOver", () => {
  it("merges objects, replaces everything else, and leaves all as it is where there is nothing to lay over", () => {
    expect(laidOver({ a: 1, b: { c: 2, d: [1, 2] } }, { b: { d: [3], e: null } })).toEqual({ a: 1, b: { c: 2, d: [3], e: null } });
    expect(laidOver([{ a: 1 }], {})).toEqual([{ a: 1 }]);
    expect(laidOver("text", {})).toBe("text");
  });
});

describe("layOver", () => {
  it("is over the whole payload of one event", () => {
    expect(layOver(null, sample({ a: 1 }), { b: 2 }).body).toEqual({ a: 1, b: 2 });
  });

  it("is over each event of several, wherever they stand, and leaves what is around them", () => {
    expect(layOver(["events"], sample({ at: 0, events: [{ a: 1 }, { a: 2 }] }), { b: 3 }).body).toEqual({
      at: 0,
      events: [
        { a: 1, b: 3 },
        { a: 2, b: 3 },
      ],
    });
    expect(layOver([], sample([{ a: 1 }]), { a: 2 }).body).toEqual([{ a: 2 }]);
    expect(layOver([], sample([{ a: 1 }]), {}).body).toEqual([{ a: 1 }]);
    expect(layOver(["entry", "*", "changes"], sample({ entry: [{ id: 1, changes: [{ a: 1 }] }] }), { a: 2 }).body).toEqual({
      entry: [{ id: 1, changes: [{ a: 2 }] }],
    });
    // Some providers leave out the brackets of a single one.
    expect(layOver(["events"], sample({ events: { a: 1 } }), { a: 2 }).body).toEqual({ events: { a: 2 } });
  });

  it("takes a list as the events themselves, each over the sample's", () => {
    expect(layOver(["events"], sample({ events: [{ a: 1, k: 0 }] }), [{ a: 2 }, { a: 3 }, {}]).body).toEqual({
      events: [
        { a: 2, k: 0 },
        { a: 3, k: 0 },
        { a: 1, k: 0 },
      ],
    });
  });

  it("is over the fields of a form, where an object is its JSON", () => {
    const form = { ...sample(null), form: { a: "1", payload: "{}" } };
    expect(layOver(null, form, { b: "2", payload: { x: 1 } }).form).toEqual({ a: "1", b: "2", payload: '{"x":1}' });
  });
});
