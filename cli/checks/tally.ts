/** Pure. What the runs came to: the numbers of the last line, true to every step. */

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The parts of vitest's JSON report that are counted. */
export interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly { readonly status: string }[] }[];
}

/**
 * A file that could not be loaded has no failed test of its own, and an error outside every test only shows in the exit code:
 * both are failures. So is a run without a single test.
 */
export function tallyVitest(report: VitestReport | null, exitCode: number): Tally {
  if (report === null) return { passed: 0, failed: 1, skipped: 0 };
  const brokenFiles = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  ).length;
  const counted = report.numFailedTests + brokenFiles;
  const ranNothing = report.numPassedTests + counted === 0;
  return {
    passed: report.numPassedTests,
    failed: counted === 0 && (exitCode !== 0 || ranNothing) ? 1 : counted,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Of `node --test --test-reporter=tap`: its closing lines. What was cancelled has not passed; a file that could not be loaded is a failed test. */
export function tallyNodeTest(tap: string, exitCode: number): Tally {
  const of = (name: string): number => Number(new RegExp(`^# ${name} (\\d+)$`, "m").exec(tap)?.[1] ?? 0);
  const passed = of("pass");
  const failed = of("fail") + of("cancelled");
  return { passed, failed: failed === 0 && (exitCode !== 0 || passed === 0) ? 1 : failed, skipped: of("skipped") + of("todo") };
}

export function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }), {
    passed: 0,
    failed: 0,
    skipped: 0,
  });
}

export function lastLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
