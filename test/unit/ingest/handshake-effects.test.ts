/** Handshakes that keep, fetch or allow something do so within bounds, and say why when they do not. */
import { describe, expect, it } from "vitest";
import { answerGet, answerPost, type HandshakeMeans } from "../../../src/ingest/handshake.ts";
import { generic } from "../../../src/providers/generic.ts";
import { header, json } from "../../../src/providers/readers.ts";
import { delivery, means, withHandshakes } from "./handshakes.ts";

describe("secrets that the provider hands over", () => {
  const notion = withHandshakes({ kind: "post_secret", secret: json("verification_token"), echo: null });
  const asana = withHandshakes({ kind: "post_secret", secret: header("x-hook-secret"), echo: "x-hook-secret" });
  const none = { current: null, next: null };

  it("are kept, and go back only where the provider wants that", async () => {
    const kept: string[] = [];
    const keepSecret: HandshakeMeans["keepSecret"] = async (secret) => {
      kept.push(secret);
      return "kept";
    };
    const first = await answerPost(
      notion,
      delivery("POST", {}, '{"verification_token":"secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl"}'),
      false,
      means({ secrets: none, keepSecret }),
    );
    expect(first?.response.status).toBe(200);
    expect(await first?.response.text()).toBe("");
    const second = await answerPost(
      asana,
      delivery("POST", { "x-hook-secret": "b537207f20cbfa02357cf448134da559" }, "{}"),
      false,
      means({ secrets: none, keepSecret }),
    );
    expect(second?.response.headers.get("x-hook-secret")).toBe("b537207f20cbfa02357cf448134da559");
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
    for (const [outcome, status, refusal] of [
      ["failed", 503, "secret_not_kept"],
      ["full", 429, "handshakes_full"],
    ] as const) {
      const over = { secrets: none, keepSecret: async () => outcome };
      const answer = await answerPost(notion, delivery("POST", {}, '{"verification_token":"x"}'), false, means(over));
      expect([answer?.response.status, answer?.refusal]).toEqual([status, refusal]);
    }
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
    expect((await post(url, confirm))?.response.status).toBe(200);
    expect(await post(url, confirm, false)).toBeNull();
    expect(urls).toEqual([url]);
    const failed = await post(url, async () => false);
    expect([failed?.response.status, failed?.refusal]).toEqual([503, "confirmation_failed"]);
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
    const answer = await post(url, async () => Promise.reject(new Error("fetched")));
    expect([answer?.response.status, answer?.refusal]).toEqual([401, "url_not_allowed"]);
  });
});

describe("OPTIONS of CloudEvents", () => {
  const events = withHandshakes({ kind: "options_cloudevents" });
  const options = (headers: Record<string, string>, provider = events, over: Partial<HandshakeMeans> = {}) =>
    answerGet(provider, delivery("OPTIONS", headers, ""), means(over));
  const allowed = async (headers: Record<string, string>) => {
    const answer = await options(headers);
    return answer === null ? null : [answer.response.headers.get("webhook-allowed-origin"), answer.response.headers.get("webhook-allowed-rate")];
  };

  it("allows the sender, at its rate, and says whom", async () => {
    const answer = await options({ "webhook-request-origin": "eventemitter.example.com", "webhook-request-rate": "120" });
    expect(answer).toMatchObject({ refusal: null, hint: "deliveries of eventemitter.example.com are allowed" });
    expect(answer?.response.status).toBe(200);
    expect(Object.fromEntries(answer?.response.headers ?? [])).toMatchObject({
      "webhook-allowed-origin": "eventemitter.example.com",
      "webhook-allowed-rate": "120",
      allow: "POST",
    });
  });

  it("gives both headers back, also for no rate and for one that is none", async () => {
    const origin = "eventgrid.azure.net";
    for (const rate of ["0", "-1", "1.5", "*", "9".repeat(10), "1, 2", ""])
      expect(await allowed({ "webhook-request-origin": origin, "webhook-request-rate": rate }), rate).toEqual([origin, "*"]);
    expect(await allowed({ "webhook-request-origin": origin })).toEqual([origin, "*"]);
    expect(await allowed({ "webhook-request-origin": `${"a".repeat(63)}.${"b".repeat(63)}.example` })).not.toBeNull();
  });

  it("is no handshake without an origin, or with one that is no name of a host", async () => {
    expect(await options({})).toBeNull();
    for (const origin of [
      "",
      "*",
      "a b",
      "a,b",
      "a..b",
      ".a",
      "a.",
      "-a.example",
      "a-.example",
      "a:80",
      "https://a.example",
      "<a>",
      "a_b",
      "a".repeat(64),
    ])
      expect(await allowed({ "webhook-request-origin": origin }), origin).toBeNull();
    expect(await allowed({ "webhook-request-origin": `${"a.".repeat(126)}aa` })).toBeNull();
    expect(await options({ "webhook-request-origin": "x" }, generic())).toBeNull();
    expect(await answerGet(events, delivery("GET", { "webhook-request-origin": "x" }, ""), means())).toBeNull();
  });

  it("allows nothing where no delivery would be taken, and calls nobody back", async () => {
    const asked = { "webhook-request-origin": "x.example", "webhook-request-callback": "https://evil.example/" };
    const answer = await options(asked, events, { secrets: { current: null, next: null } });
    expect([answer?.response.status, answer?.refusal]).toEqual([503, "source_not_configured"]);
    expect(answer?.response.headers.get("webhook-allowed-origin")).toBeNull();
    expect((await options(asked))?.response.headers.get("webhook-allowed-origin")).toBe("x.example");
  });
});
