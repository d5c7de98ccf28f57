/**
 * Signs, by node:crypto, for the providers whose packages only verify. It is no oracle: it proves that an adapter can say yes, and that its no is about
 * the signature. Written from the providers' documentation and the packages' verifiers, and from nothing in src.
 */
import { createHash, createHmac, createSign, sign as signRaw } from "node:crypto";
import { parse } from "node:querystring";
import { seconds, withHeaders, type Delivery, type OracleRequest } from "./oracle.ts";

type ByHand = (delivery: Delivery, signing: string) => OracleRequest;
type Encoding = "hex" | "base64";

const hmac = (key: string | Buffer, text: string, encoding: Encoding): string => createHmac("sha256", key).update(text).digest(encoding);
const inHeaders =
  (headers: (delivery: Delivery, signing: string) => Readonly<Record<string, string>>): ByHand =>
  (delivery, signing) =>
    withHeaders(delivery, headers(delivery, signing));

const plain = (name: string, encoding: Encoding): ByHand => inHeaders(({ body }, key) => ({ [name]: hmac(key, body, encoding) }));
const standard = (prefix: string, key: (secret: string) => Buffer = (secret) => Buffer.from(secret.replace(/^whsec_/, ""), "base64")): ByHand =>
  inHeaders(({ id, timestampMs, body }, secret) => ({
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: seconds(timestampMs),
    [`${prefix}-signature`]: `v1,${hmac(key(secret), `${id}.${seconds(timestampMs)}.${body}`, "base64")}`,
  }));
const base64url = (json: unknown): string => Buffer.from(JSON.stringify(json)).toString("base64url");
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
function jwt(claims: Readonly<Record<string, unknown>>, secret: string): string {
  const signed = `${base64url({ alg: "HS256", typ: "JWT" })}.${base64url(claims)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

/** One `name=value` for each value, names and values sorted. */
function pairs(query: string, between: string, separator: string): string {
  return Object.entries(parse(query))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, values]) =>
      [values ?? []]
        .flat()
        .toSorted()
        .map((value) => `${name}${between}${value}`),
    )
    .join(separator);
}

export const byHand: Readonly<Record<string, ByHand>> = {
  clerk: standard("svix"),
  "dodo-payments": standard("webhook"),
  finch: inHeaders((delivery, secret) => ({ ...standard("finch")(delivery, secret).headers, "finch-event-id": delivery.id })),
  liveblocks: standard("webhook"),
  lithic: standard("webhook"),
  openai: standard("webhook"),
  polar: standard("webhook", (secret) => Buffer.from(secret, "utf8")),
  replicate: standard("webhook"),
  resend: standard("svix"),

  gocardless: plain("webhook-signature", "hex"),
  line: plain("x-line-signature", "base64"),
  linear: plain("linear-signature", "hex"),
  onfido: plain("x-sha2-signature", "hex"),
  razorpay: plain("x-razorpay-signature", "hex"),
  easypost: inHeaders(({ body }, secret) => ({
    // The integer weight of their own quirk is in none of the bodies.
    "x-hmac-signature": `hmac-sha256-hex=${hmac(secret.normalize("NFKD"), body, "hex")}`,
  })),
  shopify: inHeaders(({ id, body }, secret) => ({
    "x-shopify-api-version": "2026-01",
    "x-shopify-hmac-sha256": hmac(secret, body, "base64"),
    "x-shopify-shop-domain": "oracle.myshopify.com",
    "x-shopify-topic": "orders/create",
    "x-shopify-webhook-id": id,
  })),

  elevenlabs: inHeaders(({ timestampMs, body }, secret) => ({
    "elevenlabs-signature": `t=${seconds(timestampMs)},v0=${hmac(secret, `${seconds(timestampMs)}.${body}`, "hex")}`,
  })),
  mux: inHeaders(({ timestampMs, body }, secret) => ({
    "mux-signature": `t=${seconds(timestampMs)},v1=${hmac(secret, `${seconds(timestampMs)}.${body}`, "hex")}`,
  })),
  paddle: inHeaders(({ timestampMs, body }, secret) => ({
    "paddle-signature": `ts=${seconds(timestampMs)};h1=${hmac(secret, `${seconds(timestampMs)}:${body}`, "hex")}`,
  })),
  slack: inHeaders(({ timestampMs, body }, secret) => ({
    "x-slack-request-timestamp": seconds(timestampMs),
    "x-slack-signature": `v0=${hmac(secret, `v0:${seconds(timestampMs)}:${body}`, "hex")}`,
  })),
  twitch: inHeaders(({ id, timestampMs, body }, secret) => {
    const timestamp = new Date(timestampMs).toISOString().replace("Z", "123456Z");
    return {
      "twitch-eventsub-message-id": id,
      "twitch-eventsub-message-timestamp": timestamp,
      "twitch-eventsub-message-signature": `sha256=${hmac(secret, `${id}${timestamp}${body}`, "hex")}`,
    };
  }),
  webflow: inHeaders(({ timestampMs, body }, secret) => ({
    "x-webflow-signature": hmac(secret, `${timestampMs}:${body}`, "hex"),
    "x-webflow-timestamp": String(timestampMs),
  })),

  "mercado-pago": (delivery, secret) => {
    const url = new URL(delivery.url);
    url.searchParams.set("data.id", "123456");
    const timestamp = seconds(delivery.timestampMs);
    return withHeaders(
      { ...delivery, url: url.href },
      {
        "x-request-id": delivery.id,
        "x-signature": `ts=${timestamp},v1=${hmac(secret, `id:123456;request-id:${delivery.id};ts:${timestamp};`, "hex")}`,
      },
    );
  },
  plivo: inHeaders(({ id, url, body }, secret) => {
    const [base = "", query = ""] = url.split("?");
    const sorted = pairs(query, "=", "&");
    return {
      "content-type": "application/x-www-form-urlencoded",
      "x-plivo-signature-v3": hmac(secret, `${base}?${sorted}${sorted === "" ? "" : "."}${pairs(body, "", "")}.${id}`, "base64"),
      "x-plivo-signature-v3-nonce": id,
    };
  }),
  square: inHeaders(({ url, body }, key) => ({ "x-square-hmacsha256-signature": hmac(key, `${url}${body}`, "base64") })),

  "dropbox-sign": (delivery, apiKey) => {
    const callback = JSON.parse(new URLSearchParams(delivery.body).get("json") ?? "") as { readonly event: Readonly<Record<string, unknown>> };
    const event_hash = hmac(apiKey, `${String(callback.event["event_time"])}${String(callback.event["event_type"])}`, "hex");
    const body = new URLSearchParams({ json: JSON.stringify({ event: { ...callback.event, event_hash } }) }).toString();
    return withHeaders({ ...delivery, body }, { "content-type": "application/x-www-form-urlencoded" });
  },
  messagebird: inHeaders(({ id, url, timestampMs, body }, secret) => {
    const nbf = Math.floor(timestampMs / 1000);
    const claims = { iss: "MessageBird", nbf, exp: nbf + 60, jti: id, url_hash: sha256(url), payload_hash: sha256(body) };
    return { "messagebird-signature-jwt": jwt(claims, secret) };
  }),
  vonage: inHeaders(({ id, timestampMs, body }, secret) => ({
    authorization: `Bearer ${jwt({ iss: "Vonage", iat: Math.floor(timestampMs / 1000), jti: id, payload_hash: sha256(body) }, secret)}`,
  })),

  discord: inHeaders(({ timestampMs, body }, key) => ({
    "x-signature-ed25519": signRaw(null, Buffer.from(`${seconds(timestampMs)}${body}`), key).toString("hex"),
    "x-signature-timestamp": seconds(timestampMs),
  })),
  telnyx: inHeaders(({ timestampMs, body }, key) => ({
    "telnyx-signature-ed25519": signRaw(null, Buffer.from(`${seconds(timestampMs)}|${body}`), key).toString("base64"),
    "telnyx-timestamp": seconds(timestampMs),
  })),
  sendgrid: inHeaders(({ timestampMs, body }, key) => ({
    "x-twilio-email-event-webhook-signature": createSign("sha256")
      .update(`${seconds(timestampMs)}${body}`)
      .sign(key, "base64"),
    "x-twilio-email-event-webhook-timestamp": seconds(timestampMs),
  })),
  sns: (delivery, key) => {
    const message = JSON.parse(delivery.body) as Readonly<Record<string, string>>;
    const names =
      message["Type"] === "Notification"
        ? ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]
        : ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"];
    const canonical = names
      .filter((name) => name in message)
      .map((name) => `${name}\n${message[name]}\n`)
      .join("");
    const Signature = createSign(message["SignatureVersion"] === "1" ? "sha1" : "sha256")
      .update(canonical)
      .sign(key, "base64");
    return withHeaders({ ...delivery, body: JSON.stringify({ ...message, Signature }) }, { "content-type": "text/plain; charset=UTF-8" });
  },
};
