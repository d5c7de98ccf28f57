import { describe, expect, it } from "vitest";
import { isStale } from "../../../cli/install.mjs";
import { lastLine, sum, tallyNodeTest, tallyVitest } from "../../../cli/checks/tally.ts";

const report = {
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ status: "passed", assertionResults: [{ status: "passed" }] }],
};

describe("tallyVitest is true to the run", () => {
  it("passes what passed", () => expect(tallyVitest(report, 0)).toEqual({ passed: 3, failed: 0, skipped: 0 }));
  it("counts failures", () => expect(tallyVitest({ ...report, numFailedTests: 2 }, 1)).toMatchObject({ passed: 3, failed: 2 }));
  it("counts a file that could not be loaded", () => {
    expect(tallyVitest({ ...report, testResults: [...report.testResults, { status: "failed", assertionResults: [] }] }, 1)).toMatchObject({
      failed: 1,
    });
  });
  it("fails on an error outside every test", () => expect(tallyVitest(report, 1)).toMatchObject({ passed: 3, failed: 1 }));
  it("fails when no test ran, whatever vitest says", () => {
    expect(tallyVitest({ ...report, numPassedTests: 0, testResults: [] }, 0)).toMatchObject({ passed: 0, failed: 1 });
    expect(tallyVitest({ ...report, numPassedTests: 0, numPendingTests: 9, testResults: [] }, 0)).toMatchObject({ failed: 1, skipped: 9 });
  });
  it("fails without a report", () => expect(tallyVitest(null, 0)).toMatchObject({ failed: 1 }));
  it("shows skipped and todo tests", () => expect(tallyVitest({ ...report, numPendingTests: 1, numTodoTests: 1 }, 0)).toMatchObject({ skipped: 2 }));
});

describe("the last line", () => {
  it("sums up", () => {
    expect(
      lastLine(
        sum([
          { passed: 1, failed: 0, skipped: 0 },
          { passed: 3, failed: 2, skipped: 0 },
        ]),
      ),
    ).toBe("4 passed, 2 failed");
    expect(lastLine({ passed: 1, failed: 0, skipped: 2 })).toBe("1 passed, 0 failed, 2 skipped");
  });
});

describe("isStale: node_modules against package-lock.json", () => {
  const lock = {
    packages: {
      "": { version: "1.0.0" },
      "node_modules/a": { version: "1.0.0", integrity: "x" },
      "node_modules/o": { version: "2.0.0", optional: true },
    },
  };
  const a = { "node_modules/a": { version: "1.0.0", integrity: "x" } };
  it("is stale when nothing is installed, or an install was interrupted", () => expect(isStale(lock, null)).toBe(true));
  it("is fresh when all that is needed is there, optional packages or not", () => {
    expect(isStale(lock, { packages: a })).toBe(false);
    expect(isStale(lock, { packages: { ...a, "node_modules/o": { version: "2.0.0" } } })).toBe(false);
  });
  it("is stale on another version, other bytes, one too few or one too many", () => {
    expect(isStale(lock, { packages: { "node_modules/a": { version: "1.0.1", integrity: "x" } } })).toBe(true);
    expect(isStale(lock, { packages: { "node_modules/a": { version: "1.0.0", integrity: "y" } } })).toBe(true);
    expect(isStale(lock, { packages: {} })).toBe(true);
    expect(isStale(lock, { packages: { ...a, "node_modules/b": { version: "1.0.0" } } })).toBe(true);
  });
});

describe("tallyNodeTest: the closing lines of node --test", () => {
  const tap = (pass: number, fail: number, cancelled = 0) =>
    `TAP version 13\n# tests ${pass + fail}\n# pass ${pass}\n# fail ${fail}\n# cancelled ${cancelled}\n# skipped 1\n# todo 0\n`;
  it("counts what passed, failed and was cancelled", () => {
    expect(tallyNodeTest(tap(5, 0), 0)).toEqual({ passed: 5, failed: 0, skipped: 1 });
    expect(tallyNodeTest(tap(5, 2, 1), 1)).toEqual({ passed: 5, failed: 3, skipped: 1 });
  });
  it("is a failure when nothing ran, when it broke off, and when its exit says so", () => {
    expect(tallyNodeTest("", 0)).toMatchObject({ failed: 1 });
    expect(tallyNodeTest("node: bad option", 9)).toMatchObject({ failed: 1 });
    expect(tallyNodeTest(tap(5, 0), 1)).toMatchObject({ failed: 1 });
  });
});
