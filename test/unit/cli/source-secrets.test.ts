/** What `npm run dev` adds to .dev.vars for the sources that lack a secret, and what `npm run send` and the Worker make of it. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { addSourceSecrets } from "../../../cli/dev/source-secrets.ts";
import { publicBaseUrl } from "../../../cli/dev/public-base-url.ts";
import { readVars } from "../../../cli/dev-vars.ts";
import { readEvents, signed } from "../../../cli/send/request.ts";
import { sampleOf } from "../../../cli/send/sample.ts";
import { fetchesKeys, keyVariables, needsPrivateKey, newVars, signingKeys } from "../../../cli/source-keys.ts";
import { readConfig } from "../../../src/config.ts";
import { Delivery } from "../../../src/core/delivery.ts";
import { handsOver } from "../../../src/missing.ts";
import { discord } from "../../../src/providers/discord.ts";
import { github } from "../../../src/providers/github.ts";
import { meta } from "../../../src/providers/meta.ts";
import { notion } from "../../../src/providers/notion.ts";
import { paypal } from "../../../src/providers/paypal.ts";
import { registry } from "../../../src/providers/registry.ts";
import { sampleBytes } from "../../../src/providers/sample.ts";
import { stripe } from "../../../src/providers/stripe.ts";
import { newKeys, verify } from "../../../src/schemes/scheme.ts";

const folder = mkdtempSync(join(tmpdir(), "holdfast-secrets-"));
const file = join(folder, "dev.vars");
const nowhere = { flags: new Set<string>(), environment: new Set<string>() };
const COMMENT = "# made by npm run dev for local use";

beforeEach(() => writeFileSync(file, "ADMIN_TOKEN=x\n", { mode: 0o600 }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const every = Object.fromEntries(Object.entries(registry).map(([name, { preset }]) => [name, preset()]));

describe("every source that has no secret", () => {
  it("gets one of its provider's form, with which a signed sample is accepted", async () => {
    const said = await addSourceSecrets(file, every, nowhere);
    const vars = readVars(file);
    const config = readConfig(vars);
    for (const [source, provider] of Object.entries(every)) {
      if (handsOver(provider)) {
        expect(said.find((line) => line.startsWith(`${source}: `))).toContain("sends its secret in its handshake");
        expect(vars).not.toHaveProperty(keyVariables(source).secret);
        continue;
      }
      const keys = await signingKeys(source, provider, vars);
      const sample = sampleOf(provider)(undefined, { id: "evt_1", user: "u", amount: 5 });
      const request = await signed(
        { provider, sample, body: sampleBytes(sample), id: "evt_1", url: `http://localhost/webhooks/${source}`, timestampMs: Date.now() },
        keys,
      );
      const served = vars[keyVariables(source).servedKey] ?? "";
      const circumstances = { nowMs: Date.now(), toleranceMs: 300_000, fetchKey: async () => ({ ok: true, value: served }) as const };
      const result = await verify(
        provider.scheme,
        new Delivery({ ...request, headers: new Headers(request.headers) }),
        config.secretsOf(source),
        circumstances,
      );
      expect([source, result]).toEqual([source, { ok: true, value: { matched: "current" } }]);
      await readEvents(provider, request);
    }
    expect(said[0]).toContain("STRIPE_WEBHOOK_SECRET");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("once: a second start adds nothing", async () => {
    await addSourceSecrets(file, { stripe: stripe(), discord: discord(), meta: meta() }, nowhere);
    const first = readFileSync(file, "utf8");
    expect(await addSourceSecrets(file, { stripe: stripe(), discord: discord(), meta: meta() }, nowhere)).toEqual([]);
    expect(readFileSync(file, "utf8")).toBe(first);
  });

  it("under a comment, with the other half of the pair, and what stands in for the key server", async () => {
    await addSourceSecrets(file, { "stripe-eu": stripe(), discord: discord(), paypal: paypal() }, nowhere);
    const text = readFileSync(file, "utf8");
    expect(text.startsWith("ADMIN_TOKEN=x\n")).toBe(true);
    expect(text).toContain(`${COMMENT}\nSTRIPE_EU_WEBHOOK_SECRET=`);
    expect(text).toMatch(/^DISCORD_WEBHOOK_PRIVATE_KEY="-----BEGIN PRIVATE KEY-----\\n.+\\n-----END PRIVATE KEY-----"$/m);
    expect(text).not.toContain("DISCORD_WEBHOOK_SERVED_KEY");
    expect(text).toContain("PAYPAL_WEBHOOK_SERVED_KEY stands in for PayPal's key server: take it out to receive real deliveries");
    expect(text).toMatch(/^PAYPAL_WEBHOOK_SERVED_KEY=/m);
  });

  it("also gets the verify token that its handshake asks for", async () => {
    await addSourceSecrets(file, { meta: meta() }, nowhere);
    expect(readVars(file)["META_WEBHOOK_VERIFY_TOKEN"]).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("what is set is never touched", () => {
  it.each(["STRIPE_WEBHOOK_SECRET=whsec_mine", "STRIPE_WEBHOOK_SECRET_NEXT=whsec_mine"])("%s", async (line) => {
    writeFileSync(file, `${line}\n`);
    expect(await addSourceSecrets(file, { stripe: stripe() }, nowhere)).toEqual([]);
    expect(readFileSync(file, "utf8")).toBe(`${line}\n`);
  });

  it("a provider's real public key gets no private half, which nobody has", async () => {
    writeFileSync(file, `DISCORD_WEBHOOK_SECRET=${"ab".repeat(32)}\n`);
    expect(await addSourceSecrets(file, { discord: discord() }, nowhere)).toEqual([]);
    await expect(signingKeys("discord", discord(), readVars(file))).rejects.toThrow("DISCORD_WEBHOOK_PRIVATE_KEY is not set");
  });

  it("by --var, which the file would win over", async () => {
    expect(await addSourceSecrets(file, { stripe: stripe() }, { ...nowhere, flags: new Set(["STRIPE_WEBHOOK_SECRET"]) })).toEqual([]);
    expect(readFileSync(file, "utf8")).toBe("ADMIN_TOKEN=x\n");
  });

  it("in the environment, which the Worker does not see: that is said", async () => {
    const said = await addSourceSecrets(file, { discord: discord() }, { ...nowhere, environment: new Set(["DISCORD_WEBHOOK_SECRET"]) });
    expect(said).toEqual([`DISCORD_WEBHOOK_SECRET is in the environment, which the Worker does not see: put it into ${file}`]);
    expect(readFileSync(file, "utf8")).toBe("ADMIN_TOKEN=x\n");
  });

  it("but an empty value or a placeholder is no secret, and the line below it counts", async () => {
    writeFileSync(file, "STRIPE_WEBHOOK_SECRET=changeme\nGITHUB_WEBHOOK_SECRET=\n");
    await addSourceSecrets(file, { stripe: stripe(), github: github() }, nowhere);
    expect(readFileSync(file, "utf8")).toMatch(/^STRIPE_WEBHOOK_SECRET=changeme\nGITHUB_WEBHOOK_SECRET=\n# made/);
    for (const name of ["STRIPE_WEBHOOK_SECRET", "GITHUB_WEBHOOK_SECRET"]) expect(readVars(file)[name]).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("signingKeys says what to do", () => {
  it("without a secret, and where the provider hands it over", async () => {
    await expect(signingKeys("stripe", stripe(), {})).rejects.toThrow("STRIPE_WEBHOOK_SECRET is not set: restart `npm run dev`");
    await expect(signingKeys("notion", notion(), {})).rejects.toThrow("put NOTION_WEBHOOK_SECRET= and any text into .dev.vars");
    expect(await signingKeys("notion", notion(), { NOTION_WEBHOOK_SECRET: "any" })).toEqual({ secret: "any", privateKey: null });
  });

  it("with --rotate and no second secret: a new one to paste, that works", async () => {
    const have = { STRIPE_WEBHOOK_SECRET: "a" };
    const error = await signingKeys("stripe", stripe(), have, "next").then(
      () => "none",
      (one: Error) => one.message,
    );
    expect(error).toContain("STRIPE_WEBHOOK_SECRET_NEXT is not set");
    const [, value = ""] = /STRIPE_WEBHOOK_SECRET_NEXT=(\S+)$/m.exec(error) ?? [];
    expect(await signingKeys("stripe", stripe(), { ...have, STRIPE_WEBHOOK_SECRET_NEXT: value }, "next")).toEqual({
      secret: value,
      privateKey: null,
    });
    await expect(signingKeys("discord", discord(), { DISCORD_WEBHOOK_SECRET: "a" }, "next")).rejects.toThrow("DISCORD_WEBHOOK_PRIVATE_KEY_NEXT=");
  });

  it("takes the second secret where it is the only one, and the provider's own key whatever the secret", async () => {
    expect(await signingKeys("stripe", stripe(), { STRIPE_WEBHOOK_SECRET_NEXT: "b" })).toMatchObject({ secret: "b" });
    const vars = { PAYPAL_WEBHOOK_SECRET: "a", PAYPAL_WEBHOOK_SECRET_NEXT: "b", PAYPAL_WEBHOOK_PRIVATE_KEY: "pem" };
    expect(await signingKeys("paypal", paypal(), vars, "next")).toEqual({ secret: "b", privateKey: "pem" });
  });

  it("and knows which schemes need a private key, and which are served one, as newKeys makes them", async () => {
    for (const { scheme } of Object.values(every)) {
      const { privateKey, served } = await newKeys(scheme);
      expect([needsPrivateKey(scheme), fetchesKeys(scheme)]).toEqual([privateKey !== null, served !== null]);
    }
  });
});

it("the tests' bindings hold secrets also for those that hand them over", async () => {
  expect(await newVars("notion", notion(), {})).toEqual({});
  expect(await newVars("notion", notion(), {}, { withHandedOver: true })).toHaveProperty("NOTION_WEBHOOK_SECRET");
  expect(await newVars("meta", meta(), { META_WEBHOOK_SECRET: "set" })).toEqual({ META_WEBHOOK_VERIFY_TOKEN: expect.any(String) as string });
});

describe("publicBaseUrl, with wrangler's precedence", () => {
  const toml = 'name = "x"\n[vars]\nPUBLIC_BASE_URL = "https://toml.example/"\n# PUBLIC_BASE_URL = "https://comment.example"\n';
  it.each([
    ["the file first", { PUBLIC_BASE_URL: "https://file.example" }, ["PUBLIC_BASE_URL:https://flag.example"], toml, "https://file.example"],
    ["then --var", {}, ["A:b", "PUBLIC_BASE_URL:https://flag.example:8443"], toml, "https://flag.example:8443"],
    ["then wrangler.toml", {}, [], toml, "https://toml.example"],
    ["none", {}, [], "[vars]\n", null],
    ["nonsense is none", { PUBLIC_BASE_URL: "nonsense" }, [], "", null],
  ] as const)("%s", (_name, vars, flags, text, expected) => {
    expect(publicBaseUrl(vars, flags, text)).toBe(expected);
  });
});
