/** Handshakes are answered exactly, only as the preset's data says, and only after a signature where it wants one. */
import { describe, expect, it } from "vitest";
import { answerGet, answerPost } from "../../../src/ingest/handshake.ts";
import { generic } from "../../../src/providers/generic.ts";
import type { Handshake, Provider } from "../../../src/providers/provider.ts";
import { header, json } from "../../../src/providers/readers.ts";
import { bytes } from "../schemes/requests.ts";

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
  const meta = withHandshakes({ kind: "get_echo", param: "hub.challenge", where: { "hub.mode": "subscribe" }, tokenParam: "hub.verify_token" });
  const dropbox = withHandshakes({ kind: "get_echo", param: "challenge", where: {}, tokenParam: null });
  const get = async (provider: Provider, query: string, token: string | null = "vt-test") =>
    seen(await answerGet(provider, new URL(`https://x.example/webhooks/meta?${query}`), token));

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
    const response = await answerGet(dropbox, new URL("https://x.example/?challenge=%3Cscript%3E"), null);
    expect(response?.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response?.headers.get("content-type")).toMatch(/^text\/plain/);
  });
});

describe("posts", () => {
  const slack = withHandshakes({
    kind: "post_echo",
    when: { at: json("type"), is: "url_verification" },
    field: ["challenge"],
    as: "text",
    signed: true,
  });
  const monday = withHandshakes({
    kind: "post_echo",
    when: { at: json("challenge"), is: null },
    field: ["challenge"],
    as: { field: "challenge" },
    signed: false,
  });
  const discord = withHandshakes({
    kind: "post_constant",
    when: { at: json("type"), is: "1" },
    answer: { status: 200, body: '{"type":1}', contentType: "application/json" },
    signed: true,
  });
  const twitch = withHandshakes({
    kind: "post_echo",
    when: { at: header("twitch-eventsub-message-type"), is: "webhook_callback_verification" },
    field: ["challenge"],
    as: "text",
    signed: true,
  });
  const post = (provider: Provider, body: string, isVerified: boolean, headers: Record<string, string> = {}) =>
    seen(answerPost(provider, new Headers(headers), bytes(body), isVerified));

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
