/** A page's cursor survives the way to a client and back; anything else is none. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeCursor, encodeCursor } from "../../../src/core/event-cursor.ts";

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }).filter((value) => value.isWellFormed() && !value.includes("\0"));

test("a cursor comes back as it was, whatever its id", () => {
  const cursor = fc.record({ receivedAtMs: fc.integer({ min: 0, max: 253_402_300_799_999 }), source: text, id: text });
  fc.assert(
    fc.property(cursor, (one) => {
      expect(decodeCursor(encodeCursor(one))).toEqual(one);
    }),
  );
});

test("what nobody was given is refused", () => {
  for (const bad of ["", "1", "1,a", "1,a,", "1,,b", ",a,b", "1,a,b,c", "x,a,b", "-1,a,b", "1.5,a,b", "1,%,b", "1,a,%00", "9999999999999999,a,b"]) {
    expect(decodeCursor(bad), bad).toBeNull();
  }
});
