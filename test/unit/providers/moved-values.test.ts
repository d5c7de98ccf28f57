/** A captured signature fits no other values: what ends one part of the message is never read as the beginning of the next. */
import { describe, expect, it } from "vitest";
import { adyen } from "../../../src/providers/adyen.ts";
import { klaviyo } from "../../../src/providers/klaviyo.ts";
import { sign, type Signed } from "../../../src/schemes/scheme.ts";
import { keysOf, NOW_MS, only, outcomeOf } from "./presets.ts";

const utf8 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(new TextEncoder().encode(text));
const outgoing = (body: string, headers: Readonly<Record<string, string>> = {}) => ({
  method: "POST",
  url: "https://hooks.example/webhooks/x",
  headers: { "content-type": "application/json", ...headers },
  body: utf8(body),
  id: "evt_1",
  timestampMs: NOW_MS,
});

describe("adyen", () => {
  const provider = adyen();
  const genuine = {
    pspReference: "P1",
    originalReference: "",
    merchantAccountCode: "Shop",
    merchantReference: "order:999900:EUR:CAPTURE:true",
    amount: { value: 1, currency: "EUR" },
    eventCode: "AUTHORISATION",
    success: "true",
  };
  const signed = async (item: object) => {
    const [{ secret, privateKey, served }] = await keysOf({ name: "adyen", make: () => provider });
    const request = await sign(provider.scheme, outgoing(JSON.stringify({ notificationItems: [{ NotificationRequestItem: item }] })), {
      secret,
      privateKey,
    });
    return { request, outcome: (one: Signed) => outcomeOf(provider, one, only(secret), served) };
  };
  const moved = (request: Signed, change: object): Signed => {
    const { notificationItems } = JSON.parse(new TextDecoder().decode(request.body)) as { notificationItems: [{ NotificationRequestItem: object }] };
    const item = { ...notificationItems[0].NotificationRequestItem, ...change };
    return { ...request, body: utf8(JSON.stringify({ notificationItems: [{ NotificationRequestItem: item }] })) };
  };

  it("takes a reference with colons, as it was signed", async () => {
    const { request, outcome } = await signed(genuine);
    expect(await outcome(request)).toBe("current");
  });

  it.each([
    [
      "an amount and an event",
      { merchantReference: "order", amount: { value: 999_900, currency: "EUR" }, eventCode: "CAPTURE", success: "true:1:EUR:AUTHORISATION:true" },
    ],
    ["a currency", { merchantReference: "order", amount: { value: 999_900, currency: "EUR:CAPTURE:true:1:EUR" } }],
    ["an account", { merchantAccountCode: "Shop:order", merchantReference: "999900:EUR:CAPTURE:true" }],
    [
      "an original reference",
      { pspReference: "P1:", originalReference: "Shop", merchantAccountCode: "order", merchantReference: "999900:EUR:CAPTURE:true" },
    ],
  ])("refuses %s that a shopper wrote into the reference", async (_, change) => {
    const { request, outcome } = await signed(genuine);
    expect(await outcome(moved(request, change))).toBe("signed_part_malformed");
  });
});

describe("klaviyo", () => {
  const provider = klaviyo();
  const BODY = '{"data":[]}';
  const signed = async (body: string, time: string) => {
    const [{ secret, privateKey, served }] = await keysOf({ name: "klaviyo", make: () => provider });
    const request = await sign(provider.scheme, outgoing(body, { "klaviyo-timestamp": time }), { secret, privateKey });
    return { request, outcome: (one: Signed) => outcomeOf(provider, one, only(secret), served) };
  };

  it.each(["1767225600", "1767225600000", "2026-01-01T00:00:00+00:00", "2026-01-01T00:00:00.123Z", "Thu, 01 Jan 2026 00:00:00 GMT"])(
    "takes a time that is written as %s",
    async (time) => {
      const { request, outcome } = await signed(BODY, time);
      expect(await outcome(request)).toBe("current");
    },
  );

  it("refuses the end of the body in the time, and the time in the body", async () => {
    const { request, outcome } = await signed(BODY, "1767225600");
    for (const cut of [BODY.length - 1, BODY.length - 2, 1]) {
      const headers = { ...request.headers, "klaviyo-timestamp": `${BODY.slice(cut)}1767225600` };
      expect(await outcome({ ...request, body: utf8(BODY.slice(0, cut)), headers })).toBe("signed_part_malformed");
    }
    const headers = { ...request.headers, "klaviyo-timestamp": "5600" };
    expect(await outcome({ ...request, body: utf8(`${BODY}176722`), headers })).toBe("signed_part_malformed");
  });
});
