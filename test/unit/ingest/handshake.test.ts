/** Handshakes are answered exactly, only as the preset's data says, and only after a signature where it wants one. */
import { describe, expect, it } from "vitest";
import { answerGet, answerPost, isOwnProof, type HandshakeMeans } from "../../../src/ingest/handshake.ts";
import { braintree } from "../../../src/providers/braintree.ts";
import { generic } from "../../../src/providers/generic.ts";
import { x as xPreset } from "../../../src/providers/x.ts";
import type { Handshake, Provider } from "../../../src/providers/provider.ts";
import { header, json, query } from "../../../src/providers/readers.ts";
import { Delivery } from "../../../src/core/delivery.ts";
import { bytes } from "../schemes/requests.ts";

const delivery = (method: string, headers: Record<string, string>, body: string, search = ""): Delivery =>
  new Delivery({ method, url: `https://x.example/webhooks/x${search}`, headers: new Headers(headers), body: bytes(body) });

const means = (over: Partial<HandshakeMeans> = {}): HandshakeMeans => ({
  secrets: { current: "s3cret", next: null },
  verifyToken: null,
  confirm: async () => {
    throw new Error("nothing to confirm");
  },
  keepSecret: async () => {
    throw new Error("nothing to keep");
  },
  ...over,
});

const withHandshakes = (...handshakes: Handshake[]): Provider => ({ ...generic(), handshakes });
const seen = async (response: Response | null) =>
  response === null
    ? null
    : {
        status: response.status,
        body: await response.text(),
        type: response.headers.get("content-type"),
        status_: response.headers.get("holdfast-status"),
      };

describe("get_echo", () => {
  const meta = withHandshakes({
    kind: "get_echo",
    challenge: query("hub.challenge"),
    where: { "hub.mode": "subscribe" },
    tokenParam: "hub.verify_token",
    as: "text",
  });
  const dropbox = withHandshakes({ kind: "get_echo", challenge: query("challenge"), where: {}, tokenParam: null, as: "text" });
  const get = async (provider: Provider, query: string, token: string | null = "vt-test") =>
    seen(await answerGet(provider, delivery("GET", {}, "", `?${query}`), means({ verifyToken: token })));

  it("echoes the challenge as bare text", async () => {
    expect(await get(meta, "hub.mode=subscribe&hub.verify_token=vt-test&hub.challenge=1158201444")).toEqual({
      status: 200,
      body: "1158201444",
      type: "text/plain; charset=utf-8",
      status_: "handshake",
    });
    expect(await get(dropbox, "challenge=abc", null)).toMatchObject({ status: 200, body: "abc" });
  });

  it("refuses a wrong, missing or unconfigured verify token, and echoes nothing", async () => {
    for (const query of ["hub.verify_token=vt-tesT&", "hub.verify_token=&", ""]) {
      const answer = await get(meta, `hub.mode=subscribe&${query}hub.challenge=CANARY`);
      expect(answer).toMatchObject({ status: 403, status_: "rejected" });
      expect(answer?.body).not.toContain("CANARY");
    }
    expect(await get(meta, "hub.mode=subscribe&hub.verify_token=&hub.challenge=1", null)).toMatchObject({ status: 403 });
    expect(await get(meta, "hub.mode=subscribe&hub.verify_token=null&hub.challenge=1", null)).toMatchObject({ status: 403 });
  });

  it("is no handshake without its parameters, or with an endless challenge", async () => {
    for (const query of ["", "hub.challenge=1&hub.verify_token=vt-test", "hub.mode=subscribe", "hub.mode=unsubscribe&hub.challenge=1"])
      expect(await get(meta, query)).toBeNull();
    expect(await get(dropbox, `challenge=${"c".repeat(1_024)}`)).not.toBeNull();
    expect(await get(dropbox, `challenge=${"c".repeat(1_025)}`)).toBeNull();
    expect(await get(dropbox, "challenge=")).toBeNull();
    expect(await get(generic(), "challenge=abc")).toBeNull();
  });

  it("does not let a browser take the echo for a page", async () => {
    const response = await answerGet(dropbox, delivery("GET", {}, "", "?challenge=%3Cscript%3E"), means());
    expect(response?.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response?.headers.get("content-type")).toMatch(/^text\/plain/);
  });
});

describe("posts", () => {
  const slack = withHandshakes({
    kind: "post_echo",
    when: [{ at: json("type"), is: "url_verification" }],
    challenge: json("challenge"),
    as: "text",
    signed: true,
  });
  const monday = withHandshakes({
    kind: "post_echo",
    when: [{ at: json("challenge"), is: null }],
    challenge: json("challenge"),
    as: { field: "challenge" },
    signed: false,
  });
  const discord = withHandshakes({
    kind: "post_constant",
    when: [{ at: json("type"), is: "1" }],
    answer: { status: 200, body: '{"type":1}', contentType: "application/json" },
    signed: true,
  });
  const twitch = withHandshakes({
    kind: "post_echo",
    when: [{ at: header("twitch-eventsub-message-type"), is: "webhook_callback_verification" }],
    challenge: json("challenge"),
    as: "text",
    signed: true,
  });
  const post = (provider: Provider, body: string, isVerified: boolean, headers: Record<string, string> = {}) =>
    answerPost(provider, delivery("POST", headers, body), isVerified, means()).then(seen);

  it("echoes as text, as JSON, and by a header", async () => {
    const slackBody = '{"token":"t","challenge":"3eZbrw1a","type":"url_verification"}';
    expect(await post(slack, slackBody, true)).toMatchObject({ status: 200, body: "3eZbrw1a", type: "text/plain; charset=utf-8" });
    expect(await post(monday, '{"challenge":"a\\"b"}', false)).toMatchObject({
      status: 200,
      body: '{"challenge":"a\\"b"}',
      type: "application/json",
    });
    const headers = { "twitch-eventsub-message-type": "webhook_callback_verification" };
    expect(await post(twitch, '{"challenge":"pogchamp"}', true, headers)).toMatchObject({ body: "pogchamp" });
    expect(await post(twitch, '{"challenge":"pogchamp"}', true)).toBeNull();
  });

  it("answers a constant", async () => {
    expect(await post(discord, '{"type":1}', true)).toMatchObject({ status: 200, body: '{"type":1}', type: "application/json" });
    expect(await post(discord, '{"type":2}', true)).toBeNull();
  });

  it("waits for the signature where the provider signs, and does not where it does not", async () => {
    expect(await post(slack, '{"challenge":"x","type":"url_verification"}', false)).toBeNull();
    expect(await post(discord, '{"type":1}', false)).toBeNull();
    expect(await post(monday, '{"challenge":"x"}', true)).toBeNull();
  });

  it("takes events, broken bodies and large ones for what they are", async () => {
    for (const body of [
      '{"type":"event_callback","challenge":"x"}',
      '{"type":"url_verification"}',
      '{"type":"url_verification","challenge":{}}',
      "not json",
      "",
      "[]",
    ]) {
      expect(await post(slack, body, true), body).toBeNull();
    }
    expect(await post(monday, `{"challenge":"x","pad":"${"p".repeat(16_384)}"}`, false)).toBeNull();
    expect(await post(monday, `{"challenge":"${"x".repeat(1_025)}"}`, false)).toBeNull();
    expect(await post(generic(), '{"challenge":"x"}', false)).toBeNull();
  });
});

describe("proofs of the secret", () => {
  const proof = { hash: "SHA-256", key: "utf8", encoding: "base64", prefix: "sha256=", pattern: "[A-Za-z0-9_-]{1,64}" } as const;
  const x = withHandshakes({ kind: "get_hmac", challenge: query("crc_token"), proof, as: { proof: "response_token", challenge: null } });
  const braintree = withHandshakes({
    kind: "get_hmac",
    challenge: query("bt_challenge"),
    proof: { hash: "SHA-1", key: "after_colon", encoding: "hex", prefix: "", pattern: "[a-f0-9]{20,32}" },
    as: { text: true, withId: true },
  });
  const zoom = withHandshakes({
    kind: "post_hmac",
    when: [{ at: json("event"), is: "endpoint.url_validation" }],
    challenge: json("payload.plainToken"),
    proof: { ...proof, encoding: "hex", prefix: "" },
    as: { proof: "encryptedToken", challenge: "plainToken" },
    signed: true,
  });
  const get = (provider: Provider, search: string, over: Partial<HandshakeMeans> = {}) =>
    answerGet(provider, delivery("GET", {}, "", search), means(over)).then(seen);

  it("answers with the HMAC that another implementation computes", async () => {
    const { createHmac } = await import("node:crypto");
    const of = (text: string, encoding: "hex" | "base64") => createHmac("sha256", "s3cret").update(text).digest(encoding);
    expect(await get(x, "?crc_token=abc")).toMatchObject({
      body: JSON.stringify({ response_token: `sha256=${of("abc", "base64")}` }),
      type: "application/json",
    });
    const body = '{"event":"endpoint.url_validation","payload":{"plainToken":"abc"}}';
    const answer = await answerPost(zoom, delivery("POST", {}, body), true, means()).then(seen);
    expect(answer).toMatchObject({ body: JSON.stringify({ plainToken: "abc", encryptedToken: of("abc", "hex") }) });
    expect(await answerPost(zoom, delivery("POST", {}, body), false, means())).toBeNull();
    const challenge = "20f9f8ed05f77439fe955c977e4c8a53";
    const expected = createHmac("sha1", "private").update(challenge).digest("hex");
    expect(await get(braintree, `?bt_challenge=${challenge}`, { secrets: { current: "pub:private", next: null } })).toMatchObject({
      body: `pub|${expected}`,
    });
  });

  it("never signs what could be taken for a body, and nothing without a secret", async () => {
    for (const challenge of ['{"id":"evt_1"}', "a".repeat(65), "a b", "%7B%7D", "a%0Ab", ""]) {
      expect(
        await get(x, `?crc_token=${challenge.startsWith("%") || challenge.includes("%0A") ? challenge : encodeURIComponent(challenge)}`),
        challenge,
      ).toBeNull();
    }
    expect(await get(x, "?crc_token=abc", { secrets: { current: null, next: null } })).toBeNull();
    expect(await get(braintree, "?bt_challenge=20f9f8ed05f77439fe955c977e4c8a53", { secrets: { current: "no colon", next: null } })).toBeNull();
    expect(await get(x, "?crc_token=abc", { secrets: { current: null, next: "s3cret" } })).not.toBeNull();
  });
});

describe("secrets that the provider hands over", () => {
  const notion = withHandshakes({ kind: "post_secret", secret: json("verification_token"), echo: null });
  const asana = withHandshakes({ kind: "post_secret", secret: header("x-hook-secret"), echo: "x-hook-secret" });
  const none = { current: null, next: null };

  it("are kept, and go back only where the provider wants that", async () => {
    const kept: string[] = [];
    const keepSecret = async (secret: string) => kept.push(secret) > 0;
    const first = await answerPost(
      notion,
      delivery("POST", {}, '{"verification_token":"secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl"}'),
      false,
      means({ secrets: none, keepSecret }),
    );
    expect(first?.status).toBe(200);
    expect(await first?.text()).toBe("");
    const second = await answerPost(
      asana,
      delivery("POST", { "x-hook-secret": "b537207f20cbfa02357cf448134da559" }, "{}"),
      false,
      means({ secrets: none, keepSecret }),
    );
    expect(second?.headers.get("x-hook-secret")).toBe("b537207f20cbfa02357cf448134da559");
    expect(kept).toEqual(["secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl", "b537207f20cbfa02357cf448134da559"]);
  });

  it("are not taken once the source has one: nobody else may set it", async () => {
    for (const secrets of [
      { current: "s", next: null },
      { current: null, next: "s" },
    ]) {
      expect(await answerPost(notion, delivery("POST", {}, '{"verification_token":"x"}'), false, means({ secrets }))).toBeNull();
      expect(await answerPost(asana, delivery("POST", { "x-hook-secret": "x" }, "{}"), false, means({ secrets }))).toBeNull();
    }
  });

  it("are not taken when they are endless or unprintable, and not acknowledged when they could not be kept", async () => {
    for (const token of ["", "a b", "x".repeat(513), "é"]) {
      expect(
        await answerPost(notion, delivery("POST", {}, JSON.stringify({ verification_token: token })), false, means({ secrets: none })),
        token,
      ).toBeNull();
    }
    const refused = await answerPost(
      notion,
      delivery("POST", {}, '{"verification_token":"x"}'),
      false,
      means({ secrets: none, keepSecret: async () => false }),
    );
    expect(refused?.status).toBe(503);
  });
});

describe("subscriptions that are confirmed by a fetch", () => {
  const allow = { host: "sns\\.[a-z0-9-]{3,}\\.amazonaws\\.com(?:\\.cn)?", path: "/", query: true } as const;
  const sns = withHandshakes({
    kind: "post_confirm",
    when: [{ at: json("Type"), is: "SubscriptionConfirmation" }],
    url: json("SubscribeURL"),
    allow,
  });
  const post = (url: string, confirm: HandshakeMeans["confirm"], isVerified = true) =>
    answerPost(sns, delivery("POST", {}, JSON.stringify({ Type: "SubscriptionConfirmation", SubscribeURL: url })), isVerified, means({ confirm }));

  it("are, at the provider's own host, and only after the signature", async () => {
    const urls: string[] = [];
    const url = "https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&Token=abc";
    const confirm = async (one: string) => urls.push(one) > 0;
    expect((await post(url, confirm))?.status).toBe(200);
    expect(await post(url, confirm, false)).toBeNull();
    expect(urls).toEqual([url]);
    expect((await post(url, async () => false))?.status).toBe(503);
  });

  it.each([
    "http://sns.us-east-1.amazonaws.com/?a=1",
    "https://sns.us-east-1.amazonaws.com.evil.example/?a=1",
    "https://evil.example/?sns.us-east-1.amazonaws.com",
    "https://sns.us-east-1.amazonaws.com@evil.example/",
    "https://sns.us-east-1.amazonaws.com:8443/",
    "https://user:pass@sns.us-east-1.amazonaws.com/",
    "https://sns.us-east-1.amazonaws.com/other",
    "https://evilsns.us-east-1.amazonaws.com/",
    "https://sns.us-east-1.amazonaws.com/#@evil.example",
    "https://127.0.0.1/",
    "file:///etc/passwd",
    "not a url",
    "",
  ])("%j is never fetched", async (url) => {
    expect((await post(url, async () => Promise.reject(new Error("fetched"))))?.status).toBe(401);
  });
});

describe("OPTIONS of CloudEvents", () => {
  const events = withHandshakes({ kind: "options_cloudevents" });
  const options = (headers: Record<string, string>, provider = events) => answerGet(provider, delivery("OPTIONS", headers, ""), means());

  it("allows the sender, at its rate", async () => {
    const answer = await options({ "webhook-request-origin": "eventemitter.example.com", "webhook-request-rate": "120" });
    expect(answer?.status).toBe(200);
    expect(Object.fromEntries(answer?.headers ?? [])).toMatchObject({
      "webhook-allowed-origin": "eventemitter.example.com",
      "webhook-allowed-rate": "120",
      allow: "POST",
    });
  });

  it("is no handshake without an origin, or with one that is none", async () => {
    expect(await options({})).toBeNull();
    expect(await options({ "webhook-request-origin": "a b" })).toBeNull();
    expect(await options({ "webhook-request-origin": "x".repeat(300) })).toBeNull();
    expect(await options({ "webhook-request-origin": "x" }, generic())).toBeNull();
  });
});

describe("what our own proof signed", () => {
  it("is no event, though its signature is right: anybody could have it signed (Braintree, X)", () => {
    const challenge = "20f9f8ed05f77439fe955c977e4c8a53";
    const form = (payload: string) =>
      delivery("POST", { "content-type": "application/x-www-form-urlencoded" }, new URLSearchParams({ bt_payload: payload }).toString());
    expect(isOwnProof(braintree(), form(challenge))).toBe(true);
    expect(isOwnProof(braintree(), form(`${challenge}\n`))).toBe(true);
    expect(isOwnProof(braintree(), form("PG5vdGlmaWNhdGlvbj4=\n"))).toBe(false);
    expect(isOwnProof(xPreset(), delivery("POST", {}, "1234567890"))).toBe(true);
    expect(isOwnProof(xPreset(), delivery("POST", {}, '{"for_user_id":"1"}'))).toBe(false);
    expect(isOwnProof(generic(), delivery("POST", {}, "1234567890"))).toBe(false);
  });
});
