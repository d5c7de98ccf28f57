/** The list of planted defects fits the source as it is: a defect that cannot be planted proves nothing. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { plant } from "../../../cli/checks/planted.ts";
import { ROOT } from "../../../cli/root.ts";
import { DEFECTS } from "../../planted/defects.ts";

describe("a planted defect", () => {
  it.each(DEFECTS)("can be planted, and its tests are there: $name", ({ edits, tests }) => {
    for (const file of new Set(edits.map((edit) => edit.file))) {
      const text = readFileSync(join(ROOT, file), "utf8");
      expect(
        plant(
          text,
          edits.filter((edit) => edit.file === file),
        ),
      ).toMatchObject({ ok: true });
    }
    for (const test of tests) expect(existsSync(join(ROOT, test)), test).toBe(true);
  });

  it("has a name of its own", () => {
    expect(new Set(DEFECTS.map(({ name }) => name)).size).toBe(DEFECTS.length);
  });
});

describe("planting", () => {
  it("takes the replacement as it is written", () => {
    expect(plant("a b c", [{ file: "x", find: "b", replace: "$&$1" }])).toEqual({ ok: true, text: "a $&$1 c" });
  });

  it.each(["absent", "twice"])("refuses a text that is %s", (word) => {
    expect(plant("twice and twice", [{ file: "x", find: word, replace: "" }])).toMatchObject({ ok: false });
  });
});
