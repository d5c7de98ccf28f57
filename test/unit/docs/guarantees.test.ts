/** docs/guarantees.md names tests that exist: a promise without its test is only a promise. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../../cli/root.ts";

const page = readFileSync(join(ROOT, "docs/guarantees.md"), "utf8").replaceAll(/\s+/g, " ");
/** `_unit/log.test.ts_: "name"; "another"`: every name up to the next file belongs to it. */
const named = [...page.matchAll(/_([\w./-]+\.test\.ts)_:((?: ?"[^"]+"(?:;| and)?)+)/g)].map(([, file, names]) => ({
  file: file ?? "",
  names: [...(names ?? "").matchAll(/"([^"]+)"/g)].map(([, name]) => name ?? ""),
}));

test("names tests at all", () => {
  expect(named.length).toBeGreaterThan(50);
});

test.each(named)("$file has $names", ({ file, names }) => {
  const path = join(ROOT, "test", file);
  expect(existsSync(path), file).toBe(true);
  const source = readFileSync(path, "utf8").replaceAll(/\s+/g, " ");
  expect(names.filter((name) => !source.includes(name))).toEqual([]);
});
