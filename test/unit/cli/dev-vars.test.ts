import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unstable_getVarsForDev } from "wrangler";
import { appendVars, createVars, fillIn, parseVars, readVars } from "../../../cli/dev-vars.ts";
import { assignment } from "../../../cli/source-keys.ts";

const bytes = (n: number): Buffer => Buffer.alloc(n, 0xab);
const folder = mkdtempSync(join(tmpdir(), "holdfast-vars-"));
const file = join(folder, "dev.vars");

// As cli/dev/wrangler.ts starts it: the file alone, nothing of the shell's.
const settings = { CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: "true", CLOUDFLARE_INCLUDE_PROCESS_ENV: "false" };
const before = Object.fromEntries(Object.keys(settings).map((name) => [name, process.env[name]]));
beforeAll(() => void Object.assign(process.env, settings));
afterAll(() => {
  for (const [name, value] of Object.entries(before)) {
    delete process.env[name];
    if (value !== undefined) process.env[name] = value;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** What the Worker would see, by wrangler's own reader. */
function byWrangler(text: string): Record<string, unknown> {
  writeFileSync(file, text);
  const vars = unstable_getVarsForDev(join(import.meta.dirname, "../../../wrangler.toml"), [file], {}, undefined, true);
  return Object.fromEntries(Object.entries(vars).map(([name, binding]) => [name, "value" in binding ? binding.value : undefined]));
}

describe("fillIn", () => {
  it("puts 32 random bytes of hex in place of `random`", () => {
    expect(parseVars(fillIn("A=random\n", bytes))).toEqual({ A: "ab".repeat(32) });
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

describe("parseVars sees what the Worker sees", () => {
  it.each([
    ["A=b", "b"],
    ['A="b c"', "b c"],
    ["A='b#c'", "b#c"],
    ["A=b # comment", "b"],
    ["A=b#c", "b"],
    ["export A=b", "b"],
    ["A=whsec_a+b/c=", "whsec_a+b/c="],
    ["A=", ""],
    ['A="x\\ny"', "x\ny"],
    ["A='x\\ny'", "x\\ny"],
    ['A="-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----"', "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----"],
    [`A='{"keys":[{"kty":"RSA"}]}'`, '{"keys":[{"kty":"RSA"}]}'],
    ["A=a\\$b", "a$b"],
    ["A=a$b", "a"],
    ["A=  b  \r", "b"],
    ['A="a\\"b"', 'a\\"b'],
    ["A: b", "b"],
    ["A=1\nA=2", "2"],
  ])("%j", (text, value) => {
    expect(parseVars(`${text}\n`)).toEqual({ A: value });
    expect(byWrangler(`${text}\n`)).toEqual({ A: value });
  });

  it("skips what is no assignment", () => {
    expect(parseVars("# A=1\n\nnonsense\n")).toEqual({});
  });

  it("on lines that nobody thought of", () => {
    const piece = fc.constantFrom("a", "B", "=", " ", "'", '"', "`", "#", "\\n", "\\", "-", "+", "/", ":", "é", "{", "\t", ".");
    const value = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 3 }), (values) => {
        const text = values.map((one, at) => `V${at}=${one}\n`).join("");
        expect(parseVars(text)).toEqual(byWrangler(text));
      }),
      { numRuns: 300 },
    );
  });
});

describe("assignment", () => {
  it.each([["abc"], ["whsec_a+b/c="], ["user:pass word"], ["a$b ${c}"], ['{"a":"b c"}'], ["line one\nline two"], ["it's"], ["#1"], ["$"]])(
    "%j is read back as it was, by wrangler and by the commands",
    (value) => {
      const line = `${assignment("A", value)}\n`;
      expect(line.trim()).not.toContain("\n");
      expect(parseVars(line)).toEqual({ A: value });
      expect(byWrangler(line)).toEqual({ A: value });
    },
  );

  it("refuses what cannot be written on one line", () => {
    expect(() => assignment("A", 'it\'s "both"')).toThrow("cannot be written");
  });
});

describe("the file", () => {
  it("is made once, for its owner alone", () => {
    rmSync(file, { force: true });
    expect(createVars(file)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const first = readFileSync(file, "utf8");
    expect(first).toMatch(/^ADMIN_TOKEN=[0-9a-f]{64}$/m);
    expect(createVars(file)).toBe(false);
    expect(readFileSync(file, "utf8")).toBe(first);
  });

  it("is added to under what is there, whose last line may have no end, and keeps its mode", () => {
    writeFileSync(file, "A=1");
    chmodSync(file, 0o600);
    appendVars(file, "why", { B: "2", C: "x\ny" });
    expect(readFileSync(file, "utf8")).toBe('A=1\n# why\nB=2\nC="x\\ny"\n');
    appendVars(file, "more", { D: "3" });
    expect(readVars(file)).toEqual({ A: "1", B: "2", C: "x\ny", D: "3" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
