/** SNS: Amazon signs everybody's topics with one key, over lines that the sender may fill. What of that must not get through. */
import { describe, expect, it } from "vitest";
import { ok } from "../../../src/core/result.ts";
import { sns, snsSample } from "../../../src/providers/sns.ts";
import { newKeys, sign, verify } from "../../../src/schemes/scheme.ts";
import { at, bytes, NOW_MS, only, request, URL_SIGNED } from "./requests.ts";

const { scheme } = sns();
const VICTIM = "arn:aws:sns:us-east-1:111111111111:orders";
const ATTACKER = "arn:aws:sns:us-east-1:222222222222:orders";
const keys = await newKeys(scheme);
const sample = snsSample(undefined, { id: "m-1", user: "u", amount: 1, reference: "r" }).body as Readonly<Record<string, string>>;

/** As Amazon would sign these fields for this topic. */
async function signedFor(topic: string, fields: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> {
  const body = bytes(JSON.stringify({ ...sample, ...fields }));
  const outgoing = { method: "POST", url: URL_SIGNED, headers: {}, id: "m-1", timestampMs: NOW_MS, body };
  const made = await sign(scheme, outgoing, { ...keys, secret: topic });
  return JSON.parse(new TextDecoder().decode(made.body)) as Record<string, string>;
}

async function outcome(fields: Readonly<Record<string, string>>): Promise<string> {
  const circumstances = { ...at(), fetchKey: async () => ok(keys.served ?? "") };
  const result = await verify(scheme, request({}, bytes(JSON.stringify(fields))), only(VICTIM), circumstances);
  return result.ok ? result.value.matched : result.failure.reason;
}

describe("a message of another topic", () => {
  it("whose text imitates the lines of ours is refused", async () => {
    const { Subject: _, ...plain } = sample;
    const text = `hi\nMessageId\nforged\nTimestamp\n2026-01-01T00:00:00.000Z\nTopicArn\n${VICTIM}\nType\nNotification`;
    const body = bytes(JSON.stringify({ ...plain, Message: text }));
    const outgoing = { method: "POST", url: URL_SIGNED, headers: {}, id: "m-1", timestampMs: NOW_MS, body };
    const genuine = JSON.parse(new TextDecoder().decode((await sign(scheme, outgoing, { ...keys, secret: ATTACKER })).body)) as Record<
      string,
      string
    >;
    // The same bytes are signed, cut in another place.
    const rest = `\nMessageId\nm-1\nTimestamp\n${genuine["Timestamp"]}\nTopicArn\n${ATTACKER}\nType\nNotification`;
    const forged = { ...genuine, Message: "hi", MessageId: "forged", TopicArn: VICTIM, Type: `Notification${rest}` };
    expect(await outcome(forged)).toBe("not_for_us");
  });

  it("is refused as it is", async () => expect(await outcome(await signedFor(ATTACKER))).toBe("not_for_us"));
});

it.each(["MessageId", "Token", "SubscribeURL", "Type"])("a line end inside %s is refused, though it is signed", async (name) => {
  expect(await outcome(await signedFor(VICTIM))).toBe("current");
  expect(await outcome(await signedFor(VICTIM, { [name]: "a\nb" }))).toBe("not_for_us");
});

it("a Type that SNS does not have is refused, though it is signed", async () => {
  for (const type of ["Notification", "SubscriptionConfirmation", "UnsubscribeConfirmation"])
    expect(await outcome(await signedFor(VICTIM, { Type: type })), type).toBe("current");
  for (const type of ["Invented", "notification", "Notification "])
    expect(await outcome(await signedFor(VICTIM, { Type: type })), type).toBe("not_for_us");
});

it.each([
  "https://sns.s3-us-west-2.amazonaws.com/SimpleNotificationService-0f.pem",
  "https://sns.s3.amazonaws.com/SimpleNotificationService-0f.pem",
  "https://sns.us-east-1.s3.amazonaws.com/SimpleNotificationService-0f.pem",
  "https://sns-us-east-1.s3-website-us-east-1.amazonaws.com/SimpleNotificationService-0f.pem",
  "https://s3.us-east-1.amazonaws.com/SimpleNotificationService-0f.pem",
  "https://sns.amazonaws.com/SimpleNotificationService-0f.pem",
])("a certificate in somebody's bucket is not Amazon's: %s", async (SigningCertURL) => {
  expect(await outcome({ ...(await signedFor(VICTIM)), SigningCertURL })).toBe("key_not_allowed");
});

it("the version, which is not signed, cannot be lowered: a signature of one is none of the other", async () => {
  const second = await signedFor(VICTIM, { SignatureVersion: "2" });
  const first = await signedFor(VICTIM, { SignatureVersion: "1" });
  expect([await outcome(second), await outcome(first)]).toEqual(["current", "current"]);
  for (const [fields, version] of [
    [second, "1"],
    [first, "2"],
    [second, "3"],
    [second, ""],
    [second, "constructor"],
  ] as const)
    expect(await outcome({ ...fields, SignatureVersion: version }), version).toBe("signature_mismatch");
});
