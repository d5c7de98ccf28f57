/** Providers as they come to the front door: their own answers, the URL they were given, keys that are fetched, and what is said when something is missing. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { holdfast, type Provider } from "#holdfast";
import { discord } from "../../src/providers/discord.ts";
import { googlePubsub } from "../../src/providers/google-pubsub.ts";
import { meta } from "../../src/providers/meta.ts";
import { slack, slackSample } from "../../src/providers/slack.ts";
import { square, squareSample } from "../../src/providers/square.ts";
import { sampleBytes, type Sample } from "../../src/providers/sample.ts";
import { newKeys, sign, type Signed } from "../../src/schemes/scheme.ts";

const sources: Readonly<Record<string, Provider>> = { square: square(), slack: slack(), discord: discord(), pubsub: googlePubsub(), meta: meta() };
const worker = holdfast({ sources, handlers: [] });

async function answerOf(request: Request, bindings: Record<string, unknown>): Promise<Response> {
  const context = createExecutionContext();
  const response = await worker.fetch(request as Request<unknown, IncomingRequestCfProperties>, { ...env, ...bindings }, context);
  await waitOnExecutionContext(context);
  return response;
}

const requestTo = (url: string, { headers, body }: Signed): Request => new Request(url, { method: "POST", headers, body });

async function signed(
  provider: Provider,
  sample: Sample,
  url: string,
  keys: { readonly secret: string; readonly privateKey: string | null },
): Promise<Signed> {
  const outgoing = { method: "POST", url, headers: sample.headers, body: sampleBytes(sample), id: crypto.randomUUID(), timestampMs: Date.now() };
  return sign(provider.scheme, outgoing, keys);
}

const options = () => ({ id: crypto.randomUUID(), user: "u1", amount: 5 });

describe("a signature over the URL", () => {
  const PUBLIC_BASE_URL = "https://hooks.example.com";
  const keys = { secret: "square-secret", privateKey: null };
  const bindings = { SQUARE_WEBHOOK_SECRET: keys.secret, PUBLIC_BASE_URL };

  test("is checked against the URL that the provider was given, whatever host and scheme came here", async () => {
    const request = await signed(square(), squareSample(undefined, options()), `${PUBLIC_BASE_URL}/webhooks/square`, keys);
    const answer = await answerOf(requestTo("http://worker.internal:8787/webhooks/square", request), bindings);
    expect([answer.status, answer.headers.get("holdfast-status")]).toEqual([202, "queued"]);
  });

  test("never against what the request itself claims: a forwarded host is anybody's", async () => {
    const request = await signed(square(), squareSample(undefined, options()), "https://evil.example/webhooks/square", keys);
    const headers = { ...request.headers, "x-forwarded-host": "evil.example", "x-forwarded-proto": "https", host: "evil.example" };
    const answer = await answerOf(requestTo("https://evil.example/webhooks/square", { ...request, headers }), bindings);
    expect(answer.status).toBe(401);
  });

  test("keeps the query as it came", async () => {
    const target = "/webhooks/square?b=%2f%c3%A9&a=~x";
    const request = await signed(square(), squareSample(undefined, options()), `${PUBLIC_BASE_URL}${target}`, keys);
    expect((await answerOf(requestTo(`http://worker.internal${target}`, request), bindings)).status).toBe(202);
  });
});

describe("a provider's own answer", () => {
  test("slack hears 200, and its challenge is echoed only when it is signed", async () => {
    const keys = await newKeys(slack().scheme);
    const bindings = { SLACK_WEBHOOK_SECRET: keys.secret };
    const url = "http://localhost/webhooks/slack";
    const event = await answerOf(requestTo(url, await signed(slack(), slackSample(undefined, options()), url, keys)), bindings);
    expect([event.status, event.headers.get("holdfast-status")]).toEqual([200, "queued"]);
    const body = { type: "url_verification", token: "t", challenge: "3eZbrw1a" };
    const challenge = await signed(slack(), { type: "", body, headers: { "content-type": "application/json" } }, url, keys);
    const answer = await answerOf(requestTo(url, challenge), bindings);
    expect([answer.status, await answer.text()]).toEqual([200, "3eZbrw1a"]);
    const forged = await answerOf(new Request(url, { method: "POST", body: JSON.stringify(body) }), bindings);
    expect([forged.status, await forged.text()]).toEqual([401, '{"error":"Invalid HMAC signature"}']);
  });

  test("discord's PING is answered in its words, and a badly signed one is refused, as it checks", async () => {
    const keys = await newKeys(discord().scheme);
    const bindings = { DISCORD_WEBHOOK_SECRET: keys.secret };
    const url = "http://localhost/webhooks/discord";
    const ping = await signed(discord(), { type: "", body: { version: 1, type: 0 }, headers: { "content-type": "application/json" } }, url, keys);
    const answer = await answerOf(requestTo(url, ping), bindings);
    expect([answer.status, await answer.text(), answer.headers.get("content-type")]).toEqual([204, "", "application/json"]);
    const other = { ...ping, headers: { ...ping.headers, "x-signature-timestamp": "1" } };
    expect((await answerOf(requestTo(url, other), bindings)).status).toBe(401);
  });
});

describe("a key that is fetched", () => {
  test("and cannot be had: 503, so that the provider tries again; nothing is stored", async () => {
    const keys = await newKeys(googlePubsub().scheme);
    const url = "http://localhost/webhooks/pubsub";
    const body = { message: { messageId: crypto.randomUUID(), data: "e30=", attributes: {} }, subscription: "projects/p/subscriptions/s" };
    const request = await signed(googlePubsub(), { type: "", body, headers: { "content-type": "application/json" } }, url, keys);
    const fetching = vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("no network"));
    try {
      const answer = await answerOf(requestTo(url, request), { PUBSUB_WEBHOOK_SECRET: keys.secret });
      expect([answer.status, answer.headers.get("holdfast-status"), await answer.text()]).toEqual([
        503,
        "rejected",
        '{"error":"Temporarily unavailable"}',
      ]);
    } finally {
      fetching.mockRestore();
    }
    const served = await answerOf(requestTo(url, request), { PUBSUB_WEBHOOK_SECRET: keys.secret, PUBSUB_WEBHOOK_SERVED_KEY: keys.served });
    expect(served.headers.get("holdfast-status")).toBe("queued");
  });
});

describe("what is missing", () => {
  test("is said of every source with the first request, in words", async () => {
    const lines: string[] = [];
    const spies = (["error", "warn"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((line: unknown) => void lines.push(String(line))),
    );
    try {
      await answerOf(new Request("http://localhost/webhooks/slack"), {
        SLACK_WEBHOOK_SECRET: "s",
        META_WEBHOOK_SECRET: "s",
        SQUARE_WEBHOOK_SECRET: " ",
      });
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    const said = lines.map((line) => JSON.parse(line) as Record<string, string>).filter(({ event }) => event === "source_incomplete");
    expect(said.map(({ source, level }) => `${source} ${level}`).toSorted()).toEqual(["discord error", "meta warn", "pubsub error", "square error"]);
    expect(said.find(({ source }) => source === "square")?.["hint"]).toContain("set SQUARE_WEBHOOK_SECRET");
    expect(said.find(({ source }) => source === "meta")?.["hint"]).toContain("META_WEBHOOK_VERIFY_TOKEN");
  });
});
