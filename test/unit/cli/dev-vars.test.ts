import { describe, expect, it } from "vitest";
import { fillIn, parseVars } from "../../../cli/dev-vars.ts";

const bytes = (n: number): Buffer => Buffer.alloc(n, 0xab);

describe("fillIn", () => {
  it("puts 32 random bytes of hex in place of `random`, and a Standard Webhooks secret in place of `random-whsec`", () => {
    const filled = parseVars(fillIn("A=random\nB=random-whsec\n", bytes));
    expect(filled["A"]).toBe("ab".repeat(32));
    expect(filled["B"]).toBe(`whsec_${bytes(32).toString("base64")}`);
  });

  it("leaves comments, other values and the line ends alone", () => {
    const text = "# WEBHOOK=random is a comment\nA=randomly\nB=not random\n\nC=random \n";
    expect(fillIn(text, bytes)).toBe(`# WEBHOOK=random is a comment\nA=randomly\nB=not random\n\nC=${"ab".repeat(32)}\n`);
  });

  it("gives every name another secret", () => {
    const filled = parseVars(fillIn("A=random\nB=random"));
    expect(filled["A"]).not.toBe(filled["B"]);
  });
});

describe("parseVars", () => {
  it.each([
    ["A=b", "b"],
    ['A="b c"', "b c"],
    ["A='b#c'", "b#c"],
    ["A=b # comment", "b"],
    ["export A=b", "b"],
    ["A=whsec_a+b/c=", "whsec_a+b/c="],
    ["A=", ""],
  ])("%s", (line, value) => {
    expect(parseVars(line)).toEqual({ A: value });
  });

  it("skips what is no assignment", () => {
    expect(parseVars("# A=1\n\nnonsense\n")).toEqual({});
  });
});
