/** Counters in Analytics Engine: one point for each delivery and each run, none of them with anything a stranger wrote, and nothing that fails with them. */
import { beforeEach, expect, test } from "vitest";
import { PermanentError } from "#holdfast";
import { METRIC_POINTS_LIMIT } from "../../src/core/limits.ts";
import { count } from "../../src/metrics.ts";
import { openPage } from "../support/console.ts";
import { control } from "../support/control.ts";
import { consume, type Ledger, ledger, message, unique } from "../support/ledger.ts";
import { on } from "../support/own-app.ts";
import { delivery, fetchWorker } from "../support/requests.ts";

let books: Ledger;
let points: AnalyticsEngineDataPoint[] = [];
let bindings: Env;

beforeEach(async () => {
  control.queue = async (batch) => batch.ackAll();
  books = await ledger("metrics");
  points = [];
  bindings = { ...books.env, METRICS: { writeDataPoint: (point: AnalyticsEngineDataPoint) => void points.push(point) } } as Env;
  books = { ...books, env: bindings };
});

const told = () => points.map(({ indexes, blobs }) => [...(indexes ?? []), ...(blobs ?? [])]);

test("a delivery is counted by its outcome, a refused one with its reason, a lost one without the name it asked for", async () => {
  const id = unique("evt");
  await fetchWorker(await delivery({ id }), bindings);
  await fetchWorker(await delivery({ id }), bindings);
  await fetchWorker(await delivery({ id: unique("evt"), secret: "somebody else's" }), bindings);
  await fetchWorker(new Request("http://localhost/webhooks/<script>", { method: "POST", body: "{}" }), bindings);
  expect(told()).toEqual([
    ["generic", "delivery", "queued", ""],
    ["generic", "delivery", expect.stringMatching(/^(?:pending|done)$/), ""],
    ["generic", "delivery", "rejected", "invalid_signature"],
    ["-", "delivery", "rejected", "unknown_source"],
  ]);
  for (const { doubles } of points) expect(doubles).toEqual([1, expect.any(Number)]);
});

test("each run is counted by what it came to", async () => {
  const [fine, broken, late] = [await message(), await message({ type: "broken" }), await message({ type: "late" })];
  await consume(
    books,
    [fine, broken, late],
    [
      on("generic", "test", async () => undefined),
      on("generic", "broken", () => Promise.reject(new PermanentError("payload 4711"))),
      on("generic", "late", () => Promise.reject(new Error("later"))),
    ],
  );
  expect(new Set(told().map(String))).toEqual(
    new Set(["generic,run,attempt_failed,unknown", "generic,run,completed,", "generic,run,failed,permanent"]),
  );
  expect(points).toHaveLength(3);
  expect(JSON.stringify(points)).not.toMatch(/evt_|4711|broken|later/);
});

test("successes are counted also where they are not logged", async () => {
  await consume(
    { ...books, env: { ...bindings, LOG_SUCCESS_RATE: "0" } as unknown as Env },
    [await message()],
    [on("generic", "*", async () => undefined)],
  );
  await fetchWorker(await delivery({ id: unique("evt") }), { ...bindings, LOG_SUCCESS_RATE: "0" } as unknown as Env);
  expect(points).toHaveLength(2);
});

test("a dataset that throws, or that is not there, changes nothing", async () => {
  const throwing = {
    ...bindings,
    METRICS: {
      writeDataPoint: () => {
        throw new Error("too many points");
      },
    },
  } as Env;
  for (const each of [throwing, { ...bindings, METRICS: undefined } as Env]) {
    expect((await fetchWorker(await delivery({ id: unique("evt") }), each)).status).toBe(202);
    const one = await message();
    expect((await consume({ ...books, env: each }, [one], [on("generic", "*", async () => undefined)])).acked).toEqual([one.facts.id]);
  }
});

test("an invocation writes no more points than the platform takes", () => {
  const one = { source: "generic", kind: "run", outcome: "completed", reason: null, ms: 1 } as const;
  count(
    bindings,
    Array.from({ length: METRIC_POINTS_LIMIT + 50 }, () => one),
  );
  expect(points).toHaveLength(METRIC_POINTS_LIMIT);
});

test("the sources page says where refusals are counted, and only where they are", async () => {
  expect((await openPage("/admin/sources", bindings)).text).toContain("They are counted in Analytics Engine");
  expect((await openPage("/admin/sources", { ...bindings, METRICS: undefined } as Env)).text).toContain("to have them counted");
});
