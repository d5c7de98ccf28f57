/** Plants the known defects (test/planted) one by one in a copy of the checkout, and sees whether the tests notice. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DEFECTS, type Defect, type Edit } from "../../test/planted/defects.ts";
import { testDatabases } from "../../test/support/postgres.ts";
import { ROOT } from "../root.ts";
import { runTool } from "../run.ts";
import type { Tally } from "./tally.ts";

export type Verdict =
  /** The tests that failed, by name. */
  | { readonly kind: "caught"; readonly by: readonly string[] }
  | { readonly kind: "survived" }
  /** Nothing was learned: the text to change is not there, or no test ran. */
  | { readonly kind: "broken"; readonly why: string };

interface Judged {
  readonly defect: Defect;
  readonly verdict: Verdict;
  readonly ms: number;
}

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly message?: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** `only`: those whose name contains it. */
export async function runPlanted(only: string | undefined, asJson: boolean): Promise<Tally> {
  const chosen = DEFECTS.filter((defect) => only === undefined || defect.name.includes(only));
  const copy = checkoutCopy();
  const judged: Judged[] = [];
  try {
    // Vitest's processes inherit its address: one server, and fresh databases a run.
    await testDatabases();
    const sound = await soundness(copy, chosen);
    if (sound !== null) {
      console.log(sound);
      return { passed: 0, failed: 1, skipped: 0 };
    }
    for (const [index, defect] of chosen.entries()) {
      const startMs = Date.now();
      const verdict = await judge(copy, defect);
      judged.push({ defect, verdict, ms: Date.now() - startMs });
      if (!asJson) console.log(lineOf(index + 1, chosen.length, defect, verdict, Date.now() - startMs));
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  if (asJson)
    console.log(
      JSON.stringify(
        judged.map(({ defect, verdict, ms }) => ({ name: defect.name, harm: defect.harm, ...verdict, ms })),
        null,
        2,
      ),
    );
  const caught = judged.filter(({ verdict }) => verdict.kind === "caught").length;
  return { passed: caught, failed: judged.length - caught + (judged.length === 0 ? 1 : 0), skipped: 0 };
}

export function listPlanted(): void {
  for (const { name, harm, tests } of DEFECTS) console.log(`${name}\n  ${harm}\n  ${tests.join(", ")}`);
}

/** What git knows and what is new, without what it ignores; the packages are linked. */
function checkoutCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), "holdfast-planted-"));
  const { stdout, status } = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: ROOT, encoding: "utf8" });
  if (status !== 0) throw new Error("the planted defects need a git checkout: `git ls-files` failed");
  for (const file of stdout.split("\0").filter((name) => name !== "")) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file), { force: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"), "dir");
  return copy;
}

/** A test that fails without a defect would catch anything: first all of them, on the sound copy. null: they pass. */
async function soundness(copy: string, defects: readonly Defect[]): Promise<string | null> {
  const projects = Map.groupBy(defects, ({ project }) => project);
  for (const [project, all] of projects) {
    const report = await runTests(copy, project, [...new Set(all.flatMap(({ tests }) => tests))]);
    const failed = failedIn(report.report);
    if (report.report === null || failed.length > 0 || report.code !== 0)
      return `without any defect these tests fail already (${project}): ${failed.join("; ") || report.output.slice(-2_000)}`;
  }
  return null;
}

async function judge(copy: string, defect: Defect): Promise<Verdict> {
  const files = [...new Set(defect.edits.map(({ file }) => file))];
  const sound = new Map(files.map((file) => [file, readFileSync(join(copy, file), "utf8")]));
  try {
    for (const [file, text] of sound) {
      const planted = plant(
        text,
        defect.edits.filter((edit) => edit.file === file),
      );
      if (!planted.ok) return { kind: "broken", why: `${file}: ${planted.why}` };
      writeFileSync(join(copy, file), planted.text);
    }
    const { report, output } = await runTests(copy, defect.project, defect.tests);
    const failed = failedIn(report);
    if (failed.length > 0) return { kind: "caught", by: failed };
    if (report === null || report.numPassedTests === 0) return { kind: "broken", why: `no test ran: ${output.slice(-500)}` };
    return { kind: "survived" };
  } finally {
    for (const [file, text] of sound) writeFileSync(join(copy, file), text);
  }
}

/** Pure. */
export function plant(
  text: string,
  edits: readonly Edit[],
): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string } {
  let planted = text;
  for (const { find, replace } of edits) {
    const times = planted.split(find).length - 1;
    if (times !== 1) return { ok: false, why: `the text to change stands ${times} times in it, not once: ${find.slice(0, 100)}` };
    planted = planted.replace(find, () => replace);
  }
  return { ok: true, text: planted };
}

async function runTests(
  copy: string,
  project: string,
  tests: readonly string[],
): Promise<{ readonly report: Report | null; readonly code: number; readonly output: string }> {
  const file = join(copy, "report.json");
  rmSync(file, { force: true });
  const args = ["run", "--root", copy, "--project", project, "--reporter=json", `--outputFile.json=${file}`, ...tests];
  const { code, output } = await runTool("vitest", args, "keep");
  try {
    return { report: JSON.parse(readFileSync(file, "utf8")) as Report, code, output };
  } catch {
    return { report: null, code, output };
  }
}

const failedIn = (report: Report | null): string[] =>
  (report?.testResults ?? []).flatMap((file) => file.assertionResults.filter(({ status }) => status === "failed").map(({ fullName }) => fullName));

function lineOf(n: number, of: number, { name, tests }: Defect, verdict: Verdict, ms: number): string {
  const head = `${verdict.kind === "caught" ? "✓" : "✗"} ${String(n).padStart(2)}/${of} ${name} (${(ms / 1_000).toFixed(0)} s)`;
  switch (verdict.kind) {
    case "caught":
      return `${head}\n        caught by ${verdict.by.length === 1 ? "" : `${verdict.by.length} tests, first `}"${verdict.by[0] ?? ""}"`;
    case "survived":
      return `${head}\n        SURVIVED ${tests.join(", ")}`;
    case "broken":
      return `${head}\n        nothing learned: ${verdict.why}`;
  }
}
