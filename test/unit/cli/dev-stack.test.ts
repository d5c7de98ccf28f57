import { describe, expect, it } from "vitest";
import { databaseUrlProblem, withoutPassword } from "../../../cli/dev/database-url.ts";
import { isNoise, isQuiet, parseFact, ResendCount, resendSentence, runtimeNews } from "../../../cli/dev/worker-log.ts";
import { readable } from "../../../cli/log/fact.ts";
import { wranglerArguments, wranglerEnvironment } from "../../../cli/dev/wrangler.ts";

describe("the Worker's lines", () => {
  const json =
    '{"level":"warn","event":"delivery","at":"2026-11-29T19:29:27.903Z","source":"stripe","eventId":"evt_1","outcome":"rejected","ms":{"total":1}}';

  it("are found as they are, and behind wrangler's coloured mark for warnings and errors", () => {
    expect(parseFact(json)?.event).toBe("delivery");
    expect(parseFact(`\u001b[33m▲ \u001b[43;33m[\u001b[43;30mWARNING\u001b[43;33m]\u001b[0m \u001b[1m${json}\u001b[0m`)).toEqual(parseFact(json));
    expect(parseFact(`\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m \u001b[1m${json}\u001b[0m`)).toEqual(parseFact(json));
  });

  it("are not made of anything else", () => {
    for (const line of ["", "hello", "{", '{"a":1}', "[1]", "✘ [ERROR] Build failed with 3 errors:"]) expect(parseFact(line)).toBeNull();
  });

  it("read as one line", () => {
    expect(readable(parseFact(json) ?? { event: "" })).toBe("19:29:27 ! delivery stripe evt_1 rejected ms=total:1");
  });

  it("show a stack under it", () => {
    expect(readable({ event: "outcome", stack: "Error: x\n  at y" })).toContain("\n      Error: x\n        at y");
  });

  it("leave out the health of an idle ledger, and nothing else", () => {
    expect(isQuiet({ event: "health", counts: { pending: 0, deadLetters: 0 } })).toBe(true);
    expect(isQuiet({ event: "health", counts: { pending: 0, deadLetters: 1 } })).toBe(false);
    expect(isQuiet({ event: "delivery", counts: {} })).toBe(false);
  });
});

describe("wrangler's lines", () => {
  it.each([
    ["⎔ Reloading local server...", "reloaded"],
    ["The Workers runtime crashed unexpectedly and is being restarted (crash #1). ...", "restarted"],
    ["✘ [ERROR] The Workers runtime failed to restart after an unexpected crash.", "lost"],
    ["[wrangler:info] Ready on http://127.0.0.1:8787", "listening"],
    [
      "\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m \u001b[1mAddress already in use (127.0.0.1:8787). Please check ...",
      "address_taken",
    ],
    ["⎔ Local server updated and ready", null],
  ])("%s: %s", (line, news) => {
    expect(runtimeNews(line)).toBe(news);
  });

  it("are dropped when they say nothing, and kept when something is wrong", () => {
    expect(isNoise("[wrangler:info] POST /webhooks/generic 202 Accepted (3ms)")).toBe(true);
    expect(isNoise("Cloudflare collects anonymous telemetry about your usage of Wrangler.")).toBe(true);
    expect(isNoise("✘ [ERROR] Build failed with 3 errors:")).toBe(false);
    expect(isNoise("Address already in use (127.0.0.1:8787)")).toBe(false);
  });
});

describe("ResendCount", () => {
  const relay = (eventId: string, more: Record<string, unknown> = {}) => ({
    event: "relay",
    trigger: "alarm",
    outcome: "sent",
    source: "generic",
    eventId,
    ...more,
  });

  it("counts events that alarms send again, each once, until its time has passed; then says it once", () => {
    const count = new ResendCount(1_000);
    count.open(0);
    for (const id of ["a", "b", "a"]) count.see(relay(id));
    expect(count.take(999)).toBeNull();
    expect(count.take(1_000)).toBe(2);
    expect(count.take(1_001)).toBeNull();
  });

  it("does not count other relays, other facts, refusals, or anything outside its time", () => {
    const count = new ResendCount(1_000);
    count.see(relay("before"));
    count.open(0);
    count.see(relay("a", { trigger: "claim" }));
    count.see(relay("b", { outcome: "refused" }));
    count.see({ event: "delivery", trigger: "alarm" });
    expect(count.take(1_000)).toBe(0);
  });

  it("keeps what the objects sent before the Worker was ready", () => {
    const count = new ResendCount(1_000);
    count.open(60_000);
    count.see(relay("early"));
    count.extend(5_000);
    expect(count.take(6_000)).toBe(1);
  });

  it("is said in words", () => {
    expect(resendSentence(37, "it stopped")).toBe("re-sending 37 events that were on the (in-memory) local queue when it stopped");
    expect(resendSentence(1, "the reload")).toBe("re-sending 1 event that was on the (in-memory) local queue at the reload");
    expect(resendSentence(0, "it stopped")).toContain("no event");
  });
});

describe("databaseUrlProblem", () => {
  it.each([
    ["postgres://u:p@localhost:5432/db", null],
    ["postgresql://u:p@localhost/db", null],
    ["postgres://u@localhost/db", "has no password"],
    ["postgres://localhost/db", "no user"],
    ["postgres://u:p@localhost", "no database"],
    ["mysql://u:p@localhost/db", "only Postgres"],
    ["localhost:5432", "begins with"],
    ["", "is not a URL"],
  ])("%s: %s", (url, expected) => {
    const problem = databaseUrlProblem(url);
    if (expected === null) expect(problem).toBeNull();
    else expect(problem).toContain(expected);
  });

  it("keeps passwords out of messages", () => {
    expect(withoutPassword("postgres://u:secret@localhost/db")).not.toContain("secret");
  });
});

describe("wrangler is started offline, quiet and apart", () => {
  const options = {
    port: 8787,
    dataDir: "/d",
    varsFile: "/d/vars",
    databaseUrl: "postgres://u:p@h/d",
    fastTimings: true,
    vars: ["A:b"],
    main: null,
    faults: false,
  };
  it("with fast timings only when asked", () => {
    expect(wranglerArguments(options).join(" ")).toContain("--var TIMINGS:fast --var A:b");
    expect(wranglerArguments({ ...options, fastTimings: false }).join(" ")).not.toContain("TIMINGS");
  });
  it("with fault points only for the crash tests", () => {
    expect(wranglerArguments(options).join(" ")).toContain("--define FAULTS:false");
    expect(wranglerArguments({ ...options, faults: true }).join(" ")).toContain("--define FAULTS:true");
  });
  it("with its registry, logs and state in the data folder", () => {
    const environment = wranglerEnvironment(options);
    expect(environment["CLOUDFLARE_HYPERDRIVE_LOCAL_CONNECTION_STRING_HYPERDRIVE"]).toBe(options.databaseUrl);
    expect(environment["CLOUDFLARE_CF_FETCH_ENABLED"]).toBe("false");
    expect(environment["WRANGLER_REGISTRY_PATH"]).toMatch(/^\/d\//);
    expect(wranglerArguments(options)).toContain("/d/wrangler");
  });
});
