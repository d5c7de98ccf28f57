/** docs/field-cases.md names every case once, and the tests that it names exist. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
/** The cases as they were collected: 78 of what people who run webhook receivers met. The other numbers were never given out to us. */
const GONE = new Set([41, 42, 43, 44, 58, 59, 60, 68]);
const CASES = Array.from({ length: 101 }, (_, n) => n + 1)
  .filter((n) => !GONE.has(n) && (n <= 77 || n >= 93))
  .map((n) => `B${String(n).padStart(2, "0")}`);

const rows = readFileSync(join(root, "docs/field-cases.md"), "utf8")
  .split("\n")
  .map((line) => /^\|\s*(B\d+)\s*\|[^|]*\|(.*)\|\s*$/.exec(line))
  .filter((match) => match !== null)
  .map(([, id, proof]) => ({ id: id ?? "", proof: proof ?? "" }));

test("78 cases, each in the page once", () => {
  expect(CASES).toHaveLength(78);
  expect(rows.map(({ id }) => id)).toEqual(CASES);
});

/** `` `test/folder/file.test.ts`: name · name; `test/other.test.ts`: name. Then why ``. A describe's title stands for what is in it. */
const named = rows.flatMap(({ id, proof }) =>
  proof
    .split(/(?=`test\/[\w./-]+\.test\.ts`: )/)
    .map((part) => /^`(test\/[\w./-]+\.test\.ts)`: (.*)$/.exec(part.trim()))
    .filter((match) => match !== null)
    .map(([, file, names]) => ({ id, file: file ?? "", names: (names ?? "").replace(/;$/, "").split(" · ") })),
);
/** A sentence may follow the last name: what is left of the text before one. */
const beginnings = (text: string): string[] => [text, ...[...text.matchAll(/[.] /g)].map(({ index }) => text.slice(0, index))];

test("each case names a test, or says why there is none", () => {
  const empty = rows.filter(({ id, proof }) => !named.some((one) => one.id === id) && proof.trim().length < 20);
  expect(empty).toEqual([]);
  expect(new Set(named.map(({ id }) => id)).size).toBeGreaterThan(rows.length * 0.8);
});

test.each(named.map(({ id, file, names }) => [id, file, names] as const))("%s: %s has the tests that the page names", (_id, file, names) => {
  const source = readFileSync(join(root, file), "utf8");
  const missing = names.filter((name) => !beginnings(name.trim().replaceAll("\\|", "|")).some((text) => text.length > 10 && source.includes(text)));
  expect(missing).toEqual([]);
});
