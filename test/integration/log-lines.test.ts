/** The wide lines of DESIGN 3.7: one for each delivery and each outcome, with milliseconds a stage; successes sampled, failures never. */
import { beforeAll, expect, test, vi } from "vitest";
import { PermanentError, skip } from "#holdfast";
import { consume, type Ledger, ledger, message, unique } from "../support/ledger.ts";
import { on } from "../support/own-app.ts";
import { delivery, fetchWorker } from "../support/requests.ts";

let books: Ledger;
beforeAll(async () => {
  books = await ledger("log_lines");
});

type Line = Readonly<Record<string, unknown>> & { readonly event: string };

async function logged(work: () => Promise<unknown>): Promise<Line[]> {
  const lines: Line[] = [];
  const spies = (["log", "warn", "error"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((line: unknown) => void lines.push(JSON.parse(String(line)) as Line)),
  );
  await work().finally(() => spies.forEach((spy) => spy.mockRestore()));
  return lines;
}

const handler = on("generic", "*", async ({ event }) => {
  if (event.type === "skipped") return skip("not ours");
  if (event.type === "unknown") throw new Error("try again");
  if (event.type === "permanent") throw new PermanentError("never");
  return undefined;
});
const number = expect.any(Number) as number;
const digest = expect.stringMatching(/^[0-9a-f]{12}$/) as string;

test.each(["alone", "together"])("an outcome's line says what, why and how long each stage took, run %s", async (how) => {
  const types = ["completed", "skipped", "unknown", "permanent"] as const;
  const events = await Promise.all(types.map((type) => message({ type, id: unique(type) })));
  const lines = await logged(async () => {
    if (how === "together") await consume(books, events, [handler]);
    else for (const one of events) await consume(books, [one], [handler]);
  });
  const of = (type: string) => lines.filter((line) => line.event === "outcome" && line["type"] === type);
  const ended = {
    source: "generic",
    digest,
    bytes: number,
    opening: number,
    attempt: 1,
    ms: { wait: number, handler: number, commit: number, total: number },
  };
  expect(of("completed")).toEqual([expect.objectContaining({ level: "info", outcome: "completed", ...ended })]);
  expect(of("skipped")).toEqual([expect.objectContaining({ level: "info", outcome: "skipped", reason: "not ours", ...ended })]);
  const failed = { ...ended, phase: "handler", ms: { handler: number, total: number }, stack: expect.stringContaining("at ") as string };
  expect(of("unknown")).toEqual([
    expect.objectContaining({ level: "warn", outcome: "attempt_failed", class: "unknown", error: "try again", delayMs: number, ...failed }),
  ]);
  expect(of("permanent")).toEqual([
    expect.objectContaining({ level: "error", outcome: "failed", class: "permanent", reason: "permanent", error: "never", ...failed }),
  ]);
  for (const line of lines) for (const ms of Object.values((line["ms"] ?? {}) as Record<string, number>)) expect(ms).toBeGreaterThanOrEqual(0);
});

test("with LOG_SUCCESS_RATE 0 successes are silent and every failure still has its line", async () => {
  const silent = { ...books.env, LOG_SUCCESS_RATE: "0" } as unknown as Env;
  const events = await Promise.all((["completed", "skipped", "unknown", "permanent"] as const).map((type) => message({ type, id: unique(type) })));
  const lines = await logged(async () => {
    await consume({ env: silent }, events, [handler]);
    await fetchWorker(await delivery({ id: unique("fine") }), silent);
    await fetchWorker(await delivery({ id: unique("forged"), secret: "another" }), silent);
    await fetchWorker(new Request("http://localhost/webhooks/nobody", { method: "POST", body: "{}" }), silent);
  });
  expect(
    lines
      .filter((line) => line.event === "outcome")
      .map((line) => String(line["outcome"]))
      .toSorted(),
  ).toEqual(["attempt_failed", "failed"]);
  expect(lines.filter((line) => line.event === "delivery").map((line) => [line["outcome"], line["reason"]])).toEqual([
    ["rejected", "signature_mismatch"],
    ["rejected", "unknown_source"],
  ]);
});

test("an after's success is sampled with its event, its failure never", async () => {
  const silent = { ...books.env, LOG_SUCCESS_RATE: "0" } as unknown as Env;
  const after = on("generic", "*", {
    async run() {},
    async after({ event }: { event: { type: string } }) {
      if (event.type === "bad") throw new Error("the service is away");
    },
  });
  const lines = await logged(async () => consume({ env: silent }, [await message({ type: "good" }), await message({ type: "bad" })], [after]));
  expect(lines.filter((line) => line.event === "after")).toEqual([
    expect.objectContaining({ level: "warn", outcome: "attempt_failed", type: "bad", ms: { after: number } }),
  ]);
});
