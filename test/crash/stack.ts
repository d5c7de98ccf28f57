/** One stack for a file's cells: booted once, its runtime killed as often as the cells ask. */
import { afterAll, beforeAll, describe, test } from "vitest";
import { startStack, type Stack } from "../e2e/stack.ts";
import { type FaultAction, FaultController } from "../support/fault-controller.ts";
import { cellsOf, type Suite } from "./cells.ts";
import { runCell } from "./matrix.ts";

const ACTIONS: readonly FaultAction[] = ["throw", "hang", "kill"];

/** Every cell of a suite, as tests. */
export function crashTests(suite: Suite): void {
  let stack: Stack;
  let isUp = false;
  const controller = new FaultController(() => stack.killRuntime());
  beforeAll(async () => {
    const url = await controller.start();
    stack = await startStack({ main: "test/crash/worker.ts", faults: true, vars: [`FAULTS_URL:${url}`, `BATCHES_WEBHOOK_SECRET:${SECRET}`] });
    isUp = true;
  });
  afterAll(async () => (isUp ? stack.end() : undefined));

  for (const cell of cellsOf(suite)) {
    describe(`${cell.point} (${cell.sending})`, () => {
      test.each(ACTIONS)("%s: every acknowledged event has its effect, once", (action) => runCell(stack, controller, cell, action));
    });
  }
}

const SECRET = "crash-test-batches";
