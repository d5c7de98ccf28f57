/** The list of fault points against the shells: every await is beside a point or has a reason, every point is passed, and none is in a deployed bundle. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../cli/root.ts";
import { FAULT_POINTS } from "../../src/fault-points.ts";
import { AWAITS } from "../support/fault-awaits.ts";

/** Lines between an await and its point: a statement of some lines has the point behind it. */
const BESIDE_LINES = 22;
const AWAIT = /\bawait\b|\bwaitUntil\(|\.then\(/;
const COMMENT = /^\s*(?:\/\/|\/?\*)/;
const POINT = /"((?:ingest|claim|consume|dead_letter|sweep)\.[a-z_]+)"/g;

const files = [
  ...["ingest", "claim", "queue"].flatMap((folder) =>
    readdirSync(join(ROOT, "src", folder))
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => `src/${folder}/${name}`),
  ),
  "src/sweep.ts",
];
interface Line {
  readonly text: string;
  readonly at: number;
}
const linesOf = (file: string): Line[] =>
  readFileSync(join(ROOT, file), "utf8")
    .split("\n")
    .map((text, at) => ({ text: `${text}\n`, at }));
const isCall = ({ text }: Line): boolean => text.includes("await faultPoint(");
const awaitsOf = (file: string): Line[] => linesOf(file).filter((line) => AWAIT.test(line.text) && !COMMENT.test(line.text) && !isCall(line));
const pointsIn = (lines: readonly Line[]): string[] =>
  lines.filter(isCall).flatMap(({ text }) => [...text.matchAll(POINT)].map(([, point]) => point ?? ""));

describe.each(files)("%s", (file) => {
  const entries = AWAITS[file] ?? [];
  it("has no await that this list does not know", () => {
    const unknown = awaitsOf(file).filter(({ text }) => !entries.some(([piece]) => text.includes(piece)));
    expect(
      unknown.map(({ text, at }) => `${file}:${at + 1} ${text.trim()}`),
      "A new await is a new moment to die in. If the outside world can tell what lies before it from what lies behind, name a point in src/fault-points.ts, " +
        "call it there, give it a cell in test/crash/cells.ts and the model a crash point; in any case enter it in test/support/fault-awaits.ts",
    ).toEqual([]);
  });

  it("has every await of the list, once", () => {
    const found = entries.map(([piece, , lines = 1]) => [piece, awaitsOf(file).filter(({ text }) => text.includes(piece)).length, lines] as const);
    expect(found.filter(([, count, lines]) => count !== lines)).toEqual([]);
  });

  it("calls the points beside the awaits that they are listed for", () => {
    const here = new Set(pointsIn(linesOf(file)));
    const missing = entries.flatMap(([piece, beside]) => {
      if (typeof beside === "string") return [];
      const lines = awaitsOf(file).filter(({ text }) => text.includes(piece));
      const near = linesOf(file).filter(({ at }) => lines.some((line) => Math.abs(line.at - at) <= BESIDE_LINES));
      // A call of another shell has its points there.
      return beside
        .filter((point) => (here.has(point) ? !pointsIn(near).includes(point) : isOfShell(file, point)))
        .map((point) => `${piece}: ${point}`);
    });
    expect(missing).toEqual([]);
  });

  it("asks the bundle's constant before each call", () => {
    const calls = linesOf(file).filter(isCall);
    expect(calls.filter(({ text }) => !/^\s*if \(FAULTS(?: && [^|]+)?\) await faultPoint\(/.test(text))).toEqual([]);
  });
});

const SHELLS = { ingest: "src/ingest/", claim: "src/claim/", consume: "src/queue/", dead_letter: "src/queue/", sweep: "src/sweep.ts" } as const;
const isOfShell = (file: string, point: string): boolean => file.startsWith(SHELLS[point.split(".")[0] as keyof typeof SHELLS]);

it("every point is passed by its shell, and every call has a point of the list", () => {
  const called = files.flatMap((file) => pointsIn(linesOf(file)).map((point) => [file, point] as const));
  expect(called.filter(([file, point]) => !isOfShell(file, point))).toEqual([]);
  expect([...new Set(called.map(([, point]) => point))].toSorted()).toEqual(FAULT_POINTS.toSorted());
});

it("every point is beside a listed await", () => {
  const listed = new Set(Object.values(AWAITS).flatMap((entries) => entries.flatMap(([, beside]) => (typeof beside === "string" ? [] : beside))));
  expect(FAULT_POINTS.filter((point) => !listed.has(point))).toEqual([]);
  expect(Object.keys(AWAITS).filter((file) => !files.includes(file))).toEqual([]);
});
