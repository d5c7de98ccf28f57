/** Handshakes are answered exactly, only as the preset's data says, and only after a signature where it wants one. */
import { describe, expect, it } from "vitest";
import { answerGet, answerPost, isOwnProof, type HandshakeAnswer, type HandshakeMeans } from "../../../src/ingest/handshake.ts";
import { braintree } from "../../../src/providers/braintree.ts";
import { generic } from "../../../src/providers/generic.ts";
import { x as xPreset } from "../../../src/providers/x.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import { header, json, query } from "../../../src/providers/readers.ts";
import { delivery, means, withHandshakes } from "./handshakes.ts";

const seen = async (answer: HandshakeAnswer | null) =>
  answer === null
    ? null
    : {
        status: answer.response.status,
        body: await answer.response.text(),
        type: answer.response.headers.get("content-type"),
        status_: answer.response.headers.get("holdfast-status"),
        refusal: answer.refusal,
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
      refusal: null,
    });
    expect(await get(dropbox, "challenge=abc", null)).toMatchObject({ status: 200, body: "abc" });
  });

  it("refuses a wrong, missing or unconfigured verify token, and echoes nothing", async () => {
    for (const query of ["hub.verify_token=vt-tesT&", "hub.verify_token=&", ""]) {
      const answer = await get(meta, `hub.mode=subscribe&${query}hub.challenge=CANARY`);
      expect(answer).toMatchObject({ status: 403, status_: "rejected", refusal: "verify_token_mismatch" });
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
    const { response } = (await answerGet(dropbox, delivery("GET", {}, "", "?challenge=%3Cscript%3E"), means())) ?? {};
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
