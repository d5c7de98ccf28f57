/** SNS in one region says nothing for a topic in another, and no host of another one is asked for a certificate. */
import { describe, expect, it } from "vitest";
import { answerPost } from "../../../src/ingest/handshake.ts";
import { sns, snsSample } from "../../../src/providers/sns.ts";
import { isAllowedUrl } from "../../../src/schemes/rsa.ts";
import { newKeys, verify, type NewKeys, type Signed } from "../../../src/schemes/scheme.ts";
import { circumstances, deliveryOf, NOW_MS, only, OPTIONS, outcomeOf, signedSample } from "./presets.ts";

const { scheme, handshakes } = sns();
if (scheme.kind !== "rsa" || scheme.key === "secret") throw new Error("not a certificate");
const { allow } = scheme.key;
const topic = (region: string, partition = "aws"): string => `arn:${partition}:sns:${region}:123456789012:orders`;
const certificate = (host: string): string => `https://${host}/SimpleNotificationService-0f.pem`;

it.each([
  ["sns.us-east-1.amazonaws.com", topic("us-east-1")],
  ["sns.us-gov-west-1.amazonaws.com", topic("us-gov-west-1", "aws-us-gov")],
  ["sns.cn-north-1.amazonaws.com.cn", topic("cn-north-1", "aws-cn")],
  ["sns.eu-west-1.amazonaws.com", `${topic("eu-west-1")}.fifo`],
])("%s serves the certificates of %s", (host, arn) => {
  expect(isAllowedUrl(certificate(host), allow, arn)).toBe(true);
});

it.each([
  ["sns.eu-west-1.amazonaws.com", topic("us-east-1")],
  ["sns.us-east-1.amazonaws.com.evil.example", topic("us-east-1")],
  ["sns.us-east-1xamazonaws.com", topic("us-east-1")],
  ["sns.us-east-1.amazonaws.com", "us-east-1"],
  ["sns.us-east-1.amazonaws.com", ""],
  ["sns.us-east-1.amazonaws.com", topic(".*")],
  ["sns.{part}.amazonaws.com", topic("{part}")],
  ["sns.us-east-1.amazonaws.com", `${topic("eu-west-1")}\n${topic("us-east-1")}`],
])("%s does not for %j", (host, arn) => {
  expect(isAllowedUrl(certificate(host), allow, arn)).toBe(false);
});

describe("a delivery", () => {
  const world = async (): Promise<{ readonly keys: NewKeys; readonly request: Signed }> => {
    const keys = { ...(await newKeys(scheme)), secret: topic("us-east-1") };
    return { keys, request: await signedSample({ make: sns, sample: snsSample }, keys) };
  };

  it("is never checked with a certificate of another region, which is not even fetched", async () => {
    const { keys, request } = await world();
    expect(await outcomeOf(sns(), request, only(keys.secret), keys.served)).toBe("current");
    const unasked = { ...circumstances(null), nowMs: NOW_MS, fetchKey: async () => Promise.reject(new Error("fetched")) };
    const elsewhere = await verify(scheme, deliveryOf(request), only(topic("eu-west-1")), unasked);
    expect(elsewhere).toMatchObject({ ok: false, failure: { reason: "key_not_allowed" } });
  });

  it("of the topic that replaces another is taken under the next secret, whichever region it is in", async () => {
    const { keys, request } = await world();
    for (const old of [topic("us-east-1").replace("orders", "old"), topic("eu-west-1")])
      expect(await outcomeOf(sns(), request, { current: old, next: keys.secret }, keys.served)).toBe("next");
    expect(await outcomeOf(sns(), request, { current: `${keys.secret}-a`, next: `${keys.secret}-b` }, keys.served)).toBe("not_for_us");
  });

  it("under a secret that is no ARN is said to have a malformed one", async () => {
    const { keys, request } = await world();
    expect(await outcomeOf(sns(), request, only("orders"), keys.served)).toBe("secret_malformed");
  });

  it("that confirms a subscription is confirmed at its own region's host alone", async () => {
    const confirmed: string[] = [];
    const body = (host: string) => ({ Type: "SubscriptionConfirmation", SubscribeURL: `https://${host}/?Action=ConfirmSubscription&Token=t` });
    const statuses = [];
    for (const host of ["sns.us-east-1.amazonaws.com", "sns.eu-west-1.amazonaws.com"]) {
      const delivery = deliveryOf({ method: "POST", url: "", headers: {}, body: new TextEncoder().encode(JSON.stringify(body(host))) });
      const answer = await answerPost({ ...sns(), handshakes }, delivery, true, {
        secrets: only(topic("us-east-1")),
        verifyToken: null,
        confirm: async (url) => confirmed.push(url) > 0,
        keepSecret: () => Promise.reject(new Error("nothing to keep")),
      });
      statuses.push(answer?.response.status);
    }
    expect(statuses).toEqual([200, 401]);
    expect(confirmed).toEqual(["https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&Token=t"]);
    expect(snsSample(undefined, OPTIONS).body).toMatchObject({ SigningCertURL: expect.stringContaining("us-east-1") as string });
  });
});
