/** The environment, read once: wrong settings are reported and harmless, secrets are never half there. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { readConfig, secretVariable } from "../../src/config.ts";
import { timings } from "../../src/core/timings.ts";

afterEach(() => vi.unstubAllGlobals());
/** What wrangler's [define] compiles in. */
const compiled = (isDev: boolean): void => void vi.stubGlobal("DEV", isDev);
const deployed = (env: object) => {
  compiled(false);
  return readConfig(env);
};

describe("timings", () => {
  it("a deployed Worker refuses TIMINGS=fast, keeps the real ones and says so", () => {
    const config = deployed({ TIMINGS: "fast" });
    expect(config.timings).toEqual(timings("real"));
    expect(config.problems).toEqual([{ reason: "timings_fast_refused", what: expect.stringContaining("TIMINGS=fast") }]);
  });

  it("are fast in development, when asked", () => {
    compiled(true);
    expect(readConfig({ TIMINGS: " fast " })).toMatchObject({ timings: timings("fast"), problems: [] });
    expect(readConfig({ TIMINGS: "real" }).timings).toEqual(timings("real"));
    expect(readConfig({}).timings).toEqual(timings("real"));
  });
});

describe("secrets", () => {
  it.each([
    ["generic", "WEBHOOK_SECRET"],
    ["stripe", "STRIPE_WEBHOOK_SECRET"],
    ["stripe-eu", "STRIPE_EU_WEBHOOK_SECRET"],
    ["a-b-c2", "A_B_C2_WEBHOOK_SECRET"],
  ])("of %s are in %s", (source, variable) => {
    expect(secretVariable(source)).toBe(variable);
    const config = deployed({ [variable]: "one", [`${variable}_NEXT`]: "two" });
    expect(config.secretsOf(source)).toEqual({ current: "one", next: "two" });
  });

  it.each(["", " ", "\n", "\t \r\n"])("that are %j are not configured: an empty key would verify anybody's HMAC", (blank) => {
    expect(deployed({ WEBHOOK_SECRET: blank, WEBHOOK_SECRET_NEXT: blank }).secretsOf("generic")).toEqual({ current: null, next: null });
  });

  it("lose the white space that a copy brought along, and only around them", () => {
    expect(deployed({ WEBHOOK_SECRET: " a b\r\n", WEBHOOK_SECRET_NEXT: "\tc" }).secretsOf("generic")).toEqual({ current: "a b", next: "c" });
  });

  it("are text: a binding of the same name is not one", () => {
    expect(deployed({ WEBHOOK_SECRET: { toString: () => "x" }, WEBHOOK_SECRET_NEXT: 7 }).secretsOf("generic")).toEqual({ current: null, next: null });
  });

  it("of another source, or of none, are not there", () => {
    expect(deployed({ STRIPE_WEBHOOK_SECRET: "x" }).secretsOf("stripe-eu")).toEqual({ current: null, next: null });
    expect(deployed({}).secretsOf("generic")).toEqual({ current: null, next: null });
  });

  it("next alone is enough", () => {
    expect(deployed({ WEBHOOK_SECRET_NEXT: "n" }).secretsOf("generic")).toEqual({ current: null, next: "n" });
  });

  it("a verify token has a variable of its own", () => {
    const config = deployed({ META_WEBHOOK_VERIFY_TOKEN: " t ", META_WEBHOOK_SECRET: "s" });
    expect(config.verifyTokenOf("meta")).toBe("t");
    expect(config.verifyTokenOf("generic")).toBeNull();
  });
});

describe("numbers", () => {
  it.each(["29", "29.9", "0", "-1", "36501", "abc", "Infinity", "NaN", "30d"])(
    "LEDGER_KEEP_DAYS=%s is ignored and reported: nothing is deleted",
    (days) => {
      const config = deployed({ LEDGER_KEEP_DAYS: days });
      expect(config.ledgerKeepDays).toBeNull();
      expect(config.problems).toEqual([{ reason: "variable_invalid", what: expect.stringContaining("LEDGER_KEEP_DAYS") }]);
    },
  );

  it("LEDGER_KEEP_DAYS is off by default, and 30 at least", () => {
    expect(deployed({})).toMatchObject({ ledgerKeepDays: null, problems: [] });
    expect(deployed({ LEDGER_KEEP_DAYS: "" })).toMatchObject({ ledgerKeepDays: null, problems: [] });
    expect(deployed({ LEDGER_KEEP_DAYS: " 30 " })).toMatchObject({ ledgerKeepDays: 30, problems: [] });
  });

  it.each(["-0.1", "1.1", "100", "ten"])("LOG_SUCCESS_RATE=%s is ignored and reported: everything is logged", (rate) => {
    const config = deployed({ LOG_SUCCESS_RATE: rate });
    expect(config.logSuccessRate).toBe(1);
    expect(config.problems).toEqual([{ reason: "variable_invalid", what: expect.stringContaining("LOG_SUCCESS_RATE") }]);
  });

  it.each([
    [undefined, 1],
    ["0", 0],
    ["0.25", 0.25],
    ["1", 1],
  ])("LOG_SUCCESS_RATE=%s is %d", (rate, value) =>
    expect(deployed({ LOG_SUCCESS_RATE: rate })).toMatchObject({ logSuccessRate: value, problems: [] }),
  );
});

it("the admin token is off when blank: it must not open with an empty one", () => {
  expect(deployed({ ADMIN_TOKEN: "  " }).adminToken).toBeNull();
  expect(deployed({ ADMIN_TOKEN: " sixteen-letters-\n" }).adminToken).toBe("sixteen-letters-");
});

it("an admin token that can be guessed is no token, and the log says so", () => {
  const config = deployed({ ADMIN_TOKEN: "fifteen-letters" });
  expect(config.adminToken).toBeNull();
  expect(config.problems).toEqual([{ reason: "variable_invalid", what: expect.stringContaining("ADMIN_TOKEN has fewer than 16 characters") }]);
  expect(JSON.stringify(config.problems)).not.toContain("fifteen-letters");
});

it("an audience tag of Cloudflare Access is trimmed, and blank is none", () => {
  expect(deployed({ ACCESS_AUD: " aud-1 " }).accessAud).toBe("aud-1");
  expect(deployed({ ACCESS_AUD: " " }).accessAud).toBeNull();
});

it.each([
  [undefined, null],
  [{ id: "" }, null],
  [{ id: 7 }, null],
  ["v1", null],
  [{ id: "abc", tag: "" }, "abc"],
])("the build of BUILD=%j is %j", (binding, build) => expect(deployed({ BUILD: binding }).build).toBe(build));

it("all problems are reported, not only the first, and none of them tells a secret", () => {
  const { problems } = deployed({ TIMINGS: "fast", LEDGER_KEEP_DAYS: "1", LOG_SUCCESS_RATE: "7", WEBHOOK_SECRET: "hush" });
  expect(problems).toHaveLength(3);
  expect(JSON.stringify(problems)).not.toContain("hush");
});

describe("LEDGER_RESTORED_AT", () => {
  it.each(["yesterday", "2026-11-30", "2026-11-30T03:00:00", "1764471600000", "2026-13-01T00:00:00Z"])("%s is ignored and reported", (given) => {
    const config = deployed({ LEDGER_RESTORED_AT: given });
    expect(config.restoredAtMs).toBeNull();
    expect(config.problems).toEqual([{ reason: "variable_invalid", what: expect.stringContaining("LEDGER_RESTORED_AT") }]);
  });

  it.each(["2026-11-30T03:00:00Z", "2026-11-30T03:00Z", "2026-11-30T04:00:00.000+01:00"])("%s is a time", (given) =>
    expect(deployed({ LEDGER_RESTORED_AT: given })).toMatchObject({ restoredAtMs: Date.UTC(2026, 10, 30, 3), problems: [] }),
  );

  it("is off by default", () => expect(deployed({}).restoredAtMs).toBeNull());
});
