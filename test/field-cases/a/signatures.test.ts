/** Field cases: signatures that are absent, malformed or under another secret; secrets that are missing, badly pasted or being rotated. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { shopify } from "../../../src/providers/shopify.ts";
import { slack } from "../../../src/providers/slack.ts";
import { defineSources, holdfast } from "#holdfast";
import { Field, isClaimed, ONCE, STRIPE_OLD_SECRET, STRIPE_SECRET, vector } from "./field.ts";

let field: Field;
beforeAll(async () => {
  field = await Field.open("signatures");
});

const rejected = [401, "rejected", { error: "Invalid HMAC signature" }];
/** Nothing of the request is anywhere. */
const leftNothing = async (source: string, id: string) => {
  expect([await isClaimed(source, id), await field.sent(id), (await field.counts(id)).events]).toEqual([false, 0, 0]);
};

describe("B15 a malformed signature crashes the handler (500) instead of 401", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])("github, value %d of the case", async (n) => {
    const answer = await field.send(`B15 r${n}`);
    expect([answer.status, answer.outcome, answer.body]).toEqual(rejected);
    await leftNothing("github", vector(`B15 r${n}`).headers["x-github-delivery"] ?? "");
  });

  const others = { ...env, SHOPIFY_WEBHOOK_SECRET: "shpss_test_secret", SLACK_WEBHOOK_SECRET: "slack-test-signing-secret" } as Env;
  const app = holdfast({ sources: defineSources({ shopify: shopify(), slack: slack() }), handlers: [] });
  const VALUES = [
    "",
    "=",
    "====",
    "abc",
    "v0=",
    "v0=zz",
    "v1=",
    "v1,",
    "v1",
    "v1,@@@@",
    "v1=abc",
    "%00",
    "=,=,=,v1=v1=v1=",
    `v1=${"A".repeat(8_000)}`,
  ];
  test.each(["shopify", "slack"] as const)("%s", async (name) => {
    const header = { shopify: "x-shopify-hmac-sha256", slack: "x-slack-signature" }[name];
    for (const value of VALUES) {
      const context = createExecutionContext();
      const headers = { [header]: value, "x-slack-request-timestamp": String(Math.floor(Date.now() / 1000)), "x-shopify-webhook-id": "w1" };
      const request = new Request(`https://hooks.example.test/webhooks/${name}`, { method: "POST", body: '{"zen":"hi"}', headers });
      const answer = await app.fetch(request as Parameters<typeof app.fetch>[0], others, context);
      await waitOnExecutionContext(context);
      expect([value.slice(0, 20), answer.status, await answer.json()]).toEqual([value.slice(0, 20), 401, { error: "Invalid HMAC signature" }]);
    }
  });

  test.each([
    ["stripe", "B11 r1", "stripe-signature", "t=1767225600,"],
    ["standard", "B36 r1", "webhook-signature", ""],
  ])("%s", async (_name, request, header, before) => {
    for (const value of VALUES) {
      for (const whole of [value, `${before}${value}`]) {
        const answer = await field.send(request, { headers: { [header]: whole } });
        expect([whole.slice(0, 20), answer.status, answer.body]).toEqual([whole.slice(0, 20), 401, rejected[2]]);
      }
    }
  });
});

test.each([1, 2, 3, 4, 5, 6])("B16 a request without a signature is accepted although a secret is set: r%d", async (n) => {
  const answer = await field.send(`B16 r${n}`);
  expect([answer.status, answer.outcome, answer.body]).toEqual(rejected);
  await leftNothing("stripe", "evt_B_nosig");
  await leftNothing("github", "b0000000-0000-4000-8000-000000000015");
});

describe("B34 an unset secret makes verification pass", () => {
  test.each([undefined, "", "   ", "undefined", "null", "changeme"])("%j", async (secret) => {
    const failed = vi.spyOn(console, "error");
    for (const name of ["r1", "r2", "r3"]) {
      const answer = await field.send(`B34 ${name}`, { bindings: { STRIPE_WEBHOOK_SECRET: secret } });
      // Stripe tries again by itself; a Retry-After is for those who heed it (src/providers/provider.ts).
      expect([answer.status, answer.body]).toEqual([503, { error: "Source not configured" }]);
    }
    const lines = failed.mock.calls.map(([line]) => String(line)).filter((line) => line.includes("source_not_configured"));
    failed.mockRestore();
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain("STRIPE_WEBHOOK_SECRET");
    await leftNothing("stripe", "evt_B_open");
  });
});

test("B35 a secret that was pasted with a newline, a space or a byte order mark never matches", async () => {
  const outcomes = [];
  for (const secret of [`${STRIPE_SECRET}\n`, ` ${STRIPE_SECRET}`, `${STRIPE_SECRET}\r\n`, `\uFEFF${STRIPE_SECRET}`])
    outcomes.push((await field.send("B35 r1", { bindings: { STRIPE_WEBHOOK_SECRET: secret } })).outcome);
  expect(outcomes).toEqual(["queued", "pending", "pending", "pending"]);
  await field.consume(await field.messages("evt_B_nl"));
  expect(await field.counts("evt_B_nl")).toEqual(ONCE);
});

const STANDARD = "whsec_c3RhbmRhcmQtd2ViaG9va3MtdGVzdC1rZXktMDAwMSE=";
const STANDARD_OLD = "whsec_c3RhbmRhcmQtd2ViaG9va3MtdGVzdC1rZXktT0xEMCE=";

test("B36 the secret is read wrongly: base64 or text, with or without its prefix", async () => {
  const outcomes = [];
  for (const secret of [STANDARD, `v1,${STANDARD}`, STANDARD.replaceAll("=", "")])
    outcomes.push((await field.send("B36 r1", { bindings: { STANDARD_WEBHOOK_SECRET: secret } })).outcome);
  expect(outcomes).toEqual(["queued", "pending", "pending"]);
  const text = await field.send("B36 r2");
  expect([text.status, text.outcome, text.body]).toEqual(rejected);
  await leftNothing("standard", "msg_B_key2");
});

describe("B37 a rotation: several signatures in a header, two active secrets", () => {
  const RECEIVERS: [string, Record<string, unknown>][] = [
    ["knows the new", { STRIPE_WEBHOOK_SECRET: STRIPE_SECRET, STANDARD_WEBHOOK_SECRET: STANDARD }],
    ["knows the old", { STRIPE_WEBHOOK_SECRET: STRIPE_OLD_SECRET, STANDARD_WEBHOOK_SECRET: STANDARD_OLD }],
    [
      "knows both",
      {
        STRIPE_WEBHOOK_SECRET: STRIPE_OLD_SECRET,
        STRIPE_WEBHOOK_SECRET_NEXT: STRIPE_SECRET,
        STANDARD_WEBHOOK_SECRET: STANDARD_OLD,
        STANDARD_WEBHOOK_SECRET_NEXT: STANDARD,
      },
    ],
  ];
  test.each(RECEIVERS)("a receiver that %s secret takes it, in whatever order, and refuses two wrong ones", async (_what, bindings) => {
    for (const name of ["r1", "r2", "r3"]) {
      const answer = await field.send(`B37 ${name}`, { bindings });
      expect([name, answer.status]).toEqual([name, 202]);
    }
    const wrong = await field.send("B37 r4", { bindings });
    expect([wrong.status, wrong.outcome, wrong.body]).toEqual(rejected);
  });

  test("one event all the same, and the log says which secret matched", async () => {
    await field.consume(await field.messages("evt_B_rot"));
    expect(await field.counts("evt_B_rot")).toEqual(ONCE);
    const lines: string[] = [];
    const said = vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
    await field.send("B35 r1", { bindings: { STRIPE_WEBHOOK_SECRET: STRIPE_OLD_SECRET, STRIPE_WEBHOOK_SECRET_NEXT: STRIPE_SECRET } });
    await field.send("B35 r1", { bindings: { STRIPE_WEBHOOK_SECRET: STRIPE_SECRET, STRIPE_WEBHOOK_SECRET_NEXT: STRIPE_OLD_SECRET } });
    said.mockRestore();
    const deliveries = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line["event"] === "delivery");
    expect(deliveries.map((line) => line["secret"])).toEqual(["next", "current"]);
    expect(lines.join("\n")).not.toContain("b1test");
  });
});
