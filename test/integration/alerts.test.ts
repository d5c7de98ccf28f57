/** Alerts over a real ledger: each is told once when it begins and once when it is over, whatever the receiver does, and nothing waits for them. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { PermanentError } from "#holdfast";
import { configOf, readConfig } from "../../src/config.ts";
import { sweep } from "../../src/sweep.ts";
import { consume, type Ledger, ledger, message, unique } from "../support/ledger.ts";
import { call, eventPath } from "../support/operators.ts";
import { on } from "../support/own-app.ts";

const URL_SECRET = "https://alerts.example.com/services/T000/B000/very-secret-path";
let books: Ledger;
let bindings: Env;
let queued = 0;
/** What the receiver got; how it answers. */
let got: string[] = [];
let answer: () => Promise<Response> = async () => new Response("ok");

beforeEach(async () => {
  books = await ledger("alerts");
  queued = 0;
  got = [];
  answer = async () => new Response("ok");
  const queue = { metrics: async () => ({ backlogCount: queued, backlogBytes: 0 }), sendBatch: async () => undefined } as unknown as Queue;
  bindings = { ...books.env, EVENTS: queue, ALERT_WEBHOOK_URL: URL_SECRET, PUBLIC_BASE_URL: "https://hooks.example.com" } as Env;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    expect(input).toBe(URL_SECRET);
    expect(init?.redirect).toBe("manual");
    got.push((JSON.parse(typeof init?.body === "string" ? init.body : "") as { text: string }).text);
    return answer();
  });
});

const run = (sources: readonly string[] = ["generic"], more: object = {}) => sweep(bindings, readConfig({ ...bindings, ...more }), sources);
const failing = on("generic", "*", () => Promise.reject(new PermanentError("no such user")));
const working = on("generic", "*", async () => undefined);
const alerts = () =>
  books.run(
    "select kind, key, told_at is not null as told, closed_at is not null as closed, close_told_at is not null as over from webhook_alerts order by kind, key",
  );

async function deadLetter(type = "credit"): Promise<string> {
  const one = await message({ type });
  await consume(books, [one], [failing]);
  return one.facts.id;
}
/** Arrivals of a source, so many, from `agoMinutes` on, a minute apart. */
const arrived = (source: string, count: number, agoMinutes: number) =>
  books.run(`
    insert into webhook_events (source, event_id, type, status, opening, received_at, settled_at, sent_at, digest, content_type, headers)
    select '${source}', '${unique("seen")}_' || n, 't', 'completed', 1, now() - interval '${agoMinutes} minutes' + n * interval '1 minute', now(), now(), 'd', 'x', '{}'
    from generate_series(0, ${count - 1}) n`);

describe("a new kind of failure", () => {
  test("is told once, with where to look, and again when it is over", async () => {
    const [first, second] = [await deadLetter(), await deadLetter()];
    await run();
    const opened = await books.run("select opened_at, details from webhook_alerts");
    await deadLetter();
    await run();
    expect(await books.run("select opened_at, details from webhook_alerts")).toEqual(opened);
    expect(got).toEqual([
      expect.stringMatching(
        /New failure: 2 × "no such user" of generic, credit\. https:\/\/hooks\.example\.com\/admin\/events\?fingerprint=[0-9a-f]{12}$/,
      ),
    ]);
    for (const { event_id: id } of await books.run("select event_id from webhook_events"))
      expect((await call("POST", eventPath(String(id), "discard"), { reason: "test data" }, books.env)).status).toBe(200);
    await run();
    await run();
    expect(got.slice(1)).toEqual([expect.stringContaining("Recovered. New failure")]);
    expect([first, second]).not.toContain(undefined);
    expect(await alerts()).toMatchObject([{ kind: "new_failure", told: true, closed: true, over: true }]);
    await deadLetter();
    await run();
    expect(got).toHaveLength(3);
  });

  test("is told at its first failed attempt, long before it is a dead letter", async () => {
    const one = await message();
    await consume(books, [one], [on("generic", "*", () => Promise.reject(new Error("not yet")))]);
    await run();
    expect(got).toEqual([expect.stringContaining('"not yet" of generic')]);
    await books.run("update webhook_events set status = 'completed', fingerprint = null");
    await run();
    expect(got[1]).toContain("Recovered.");
  });

  test("that more kinds are than a run looks at is one message, and closes none that is open", async () => {
    await deadLetter();
    await run();
    await books.run(`
      insert into webhook_events (source, event_id, type, status, opening, received_at, settled_at, sent_at, digest, content_type, headers, fingerprint, last_error)
      select 'generic', 'many_' || n || '_' || m, 't' || n, 'failed', 1, now(), now(), now(), 'd', 'x', '{}', lpad(to_hex(n), 12, '0'), 'broken'
      from generate_series(1, 1200) n, generate_series(1, 2) m`);
    await run();
    expect(got.slice(1)).toEqual([expect.stringContaining("And 989 more")]);
    expect(got[1]).not.toContain("Recovered");
  });
});

describe("a backlog", () => {
  test("of events that nobody has tried is told once, and when it is over", async () => {
    const [one, fresh] = [await message({ opening: Date.now() - 20 * 60_000 }), await message()];
    await consume(books, [one, fresh], [on("generic", "*", () => Promise.reject(new Error("later")))]);
    await books.run("update webhook_events set attempts = 0, fingerprint = null");
    await run();
    await run();
    expect(got).toEqual([expect.stringContaining("Backlog: 1 event waits for a first attempt")]);
    await run(["generic"], { ALERT_BACKLOG_MINUTES: "30" });
    expect(got[1]).toContain("Recovered. Backlog");
  });

  test("of messages that nothing takes is told, and not while the queue is silent about itself", async () => {
    await arrived("generic", 1, 60);
    queued = 40;
    await run();
    expect(got).toEqual([expect.stringContaining("Backlog: 40 messages wait in the queue")]);
    bindings = { ...bindings, EVENTS: { ...bindings.EVENTS, metrics: () => Promise.reject(new Error("no metrics")) } };
    await run();
    expect(got).toHaveLength(1);
    expect(await alerts()).toMatchObject([{ kind: "backlog", closed: false }]);
  });
});

describe("a source", () => {
  const WEEK = 7 * 24 * 60;
  test("that has gone silent against its habit is told, and that it is back", async () => {
    for (const weeks of [1, 2]) await arrived("github", 40, weeks * WEEK + 100);
    await arrived("github", 1, 90);
    await run(["github"]);
    await run(["github"]);
    expect(got).toEqual([expect.stringContaining("Silent: nothing from github since")]);
    await arrived("github", 1, 1);
    await run(["github"]);
    expect(got[1]).toContain("Recovered. Silent");
  });

  test("that is as quiet as in the weeks before is not told", async () => {
    for (const weeks of [1, 2]) await arrived("github", 9, weeks * WEEK + 80);
    await arrived("github", 1, 90);
    await run(["github"]);
    // Busy in those weeks, but not at that time.
    for (const weeks of [1, 2]) await arrived("github", 40, weeks * WEEK + 150);
    await run(["github"]);
    // Only one of the two weeks.
    await arrived("stripe", 40, WEEK + 100);
    await arrived("stripe", 1, 90);
    await run(["github", "stripe"]);
    // Busy, but not silent for long enough.
    for (const weeks of [1, 2]) await arrived("slack", 40, weeks * WEEK + 100);
    await arrived("slack", 1, 20);
    await run(["github", "stripe", "slack"]);
    expect(got).toEqual([]);
  });

  test("that is not configured any more is not told", async () => {
    for (const weeks of [1, 2]) await arrived("github", 40, weeks * WEEK + 100);
    await arrived("github", 1, 90);
    await run(["generic"]);
    expect(got).toEqual([]);
  });
});

describe("the receiver", () => {
  test.each([
    ["is down", async () => Promise.reject(new TypeError(`connect to ${URL_SECRET} refused`))],
    ["fails", async () => new Response("no", { status: 500 })],
    ["redirects", async () => new Response(null, { status: 302, headers: { location: "https://elsewhere.example" } })],
  ])("that %s is told later, once", async (_what, answering) => {
    await deadLetter();
    answer = answering;
    await run();
    expect(await alerts()).toMatchObject([{ told: false, closed: false }]);
    answer = async () => new Response("ok");
    await run();
    await run();
    expect(got).toHaveLength(2);
    expect(await alerts()).toMatchObject([{ told: true }]);
  });

  test("that was away while something came and went hears of it all the same", async () => {
    const id = await deadLetter();
    answer = async () => new Response("no", { status: 503 });
    await run();
    await call("POST", eventPath(id, "discard"), { reason: "test data" }, books.env);
    answer = async () => new Response("ok");
    await run();
    await run();
    expect(got.slice(1)).toEqual([expect.stringContaining("over already")]);
  });

  test("is told once by two runs at once", async () => {
    await deadLetter();
    const { promise, resolve } = Promise.withResolvers<Response>();
    answer = () => promise;
    const first = run();
    await vi.waitFor(() => expect(got).toHaveLength(1));
    await run();
    resolve(new Response("ok"));
    await first;
    expect(got).toHaveLength(1);
    expect(await alerts()).toMatchObject([{ told: true }]);
  });

  test("that is not configured is not missed: alerts are in the log, and told once it is", async () => {
    await deadLetter();
    const warn = vi.spyOn(console, "warn");
    await sweep(bindings, readConfig({ ...bindings, ALERT_WEBHOOK_URL: "" }), ["generic"]);
    expect(warn.mock.calls.map(([line]) => JSON.parse(String(line)) as object)).toContainEqual(
      expect.objectContaining({ event: "alert", outcome: "opened", reason: "new_failure", hint: '1 × "no such user" of generic, credit' }),
    );
    expect(got).toEqual([]);
    await run();
    expect(got).toHaveLength(1);
  });

  test("and its URL are never in the log", async () => {
    await deadLetter();
    const lines = ["log", "warn", "error"].map((name) => vi.spyOn(console, name as "log"));
    answer = async () => Promise.reject(new Error(`bad ${URL_SECRET}`));
    await run();
    const wrong = { ...bindings, ALERT_WEBHOOK_URL: "ftp://alerts.example.com/very-secret-path" } as Env;
    await sweep(wrong, configOf(wrong));
    const said = lines.flatMap((spy) => spy.mock.calls.map(([line]) => String(line))).join("\n");
    expect(said).toContain("alerts_refused");
    expect(said).toContain("ALERT_WEBHOOK_URL must be a URL");
    expect(said).not.toContain("secret-path");
  });
});

test("while the ledger is away that is told, every quarter of an hour", async () => {
  const dead = {
    ...bindings,
    HYPERDRIVE: {
      connectionString: env.HYPERDRIVE.connectionString,
      connect: () => {
        throw new Error("refused");
      },
    } as unknown as Hyperdrive,
  };
  const now = vi.spyOn(Date, "now");
  for (let minute = 0; minute < 60; minute += 5) {
    now.mockReturnValue(Date.UTC(2026, 10, 30, 3, minute, 20));
    await sweep(dead, readConfig(dead), ["generic"]);
  }
  now.mockRestore();
  expect(got).toEqual(Array.from({ length: 4 }, () => expect.stringContaining("The ledger does not answer.") as string));
});

test("alerts that were over long ago are dropped", async () => {
  await books.run(`insert into webhook_alerts (kind, key, opened_at, told_at, closed_at, close_told_at, details)
    values ('source_silent', 'old', now() - interval '40 days', now(), now() - interval '31 days', now(), '{}'),
      ('source_silent', 'newer', now() - interval '40 days', now(), now() - interval '29 days', now(), '{}')`);
  await run();
  expect((await alerts()).map(({ key }) => key)).toEqual(["newer"]);
});

describe("the API", () => {
  test("shows what is open and what was over within a day", async () => {
    const id = await deadLetter();
    await run();
    expect((await call("GET", "/alerts", undefined, bindings)).body).toMatchObject({
      alerts: [{ alert: { kind: "new_failure", source: "generic" }, closedAtMs: null, text: '1 × "no such user" of generic, credit' }],
    });
    await consume(books, [], [working]);
    await call("POST", eventPath(id, "discard"), { reason: "x" }, books.env);
    await run();
    expect((await call("GET", "/alerts", undefined, bindings)).body).toMatchObject({ alerts: [{ closedAtMs: expect.any(Number) as number }] });
  });

  test("tests the receiver, with an audit row, and says what is wrong", async () => {
    expect(await call("POST", "/alerts/test", {}, bindings)).toMatchObject({ status: 200, body: { status: "taken" } });
    expect(got).toEqual([expect.stringContaining("This is a test")]);
    answer = async () => new Response("no", { status: 404 });
    const refused = await call("POST", "/alerts/test", {}, bindings);
    expect(refused).toMatchObject({ status: 502, body: { detail: expect.stringContaining("the receiver answered 404") as string } });
    expect(JSON.stringify(refused.body)).not.toContain("secret-path");
    expect(await call("POST", "/alerts/test", {}, { ...bindings, ALERT_WEBHOOK_URL: "" } as Env)).toMatchObject({ status: 409 });
    expect(await books.run("select action from webhook_audit where action = 'alert_tested'")).toHaveLength(2);
  });
});
