/** Which deliveries are one event: facts that providers write alike are two, and what a provider sends again, with its counters moved on, is one. */
import { expect, it } from "vitest";
import { Delivery } from "../../../src/core/delivery.ts";
import { sliceItems } from "../../../src/core/json-slices.ts";
import { identify, identifyItem } from "../../../src/providers/identify.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import { registry } from "../../../src/providers/registry.ts";
import { gitlab } from "../../../src/providers/gitlab.ts";

type Headers = Readonly<Record<string, string>>;
type Sent = readonly [body: unknown, headers?: Headers];

/** An object is JSON, URLSearchParams a form, text stands as it is. */
function deliveryOf([body, headers = {}]: Sent): Delivery {
  const isForm = body instanceof URLSearchParams;
  const text = isForm || typeof body === "string" ? String(body) : JSON.stringify(body);
  const type = isForm ? { "content-type": "application/x-www-form-urlencoded" } : {};
  const url = "https://hooks.example/webhooks/x";
  return new Delivery({ method: "POST", url, headers: new Headers({ ...type, ...headers }), body: new TextEncoder().encode(text) });
}

async function idsOf({ split, ...provider }: Provider, sent: Sent): Promise<readonly string[]> {
  const delivery = deliveryOf(sent);
  if (split !== null) {
    const items = sliceItems(delivery.body, split.items) ?? [];
    return Promise.all(items.map(async (item) => (await identifyItem(split, delivery.item(item))).id));
  }
  const identity = await identify({ ...provider, split }, delivery);
  return identity.ok ? [identity.value.id] : [identity.failure];
}

const preset = (name: string): Provider => registry[name]?.preset() ?? gitlab({ auth: "token" });

const entry = (value: object, field = "messages") => ({ entry: [{ id: "1", time: 1_767_225_600, changes: [{ field, value }] }] });
const status = (id: string, of: string, recipient?: string) => entry({ statuses: [{ id, status: of, recipient_id: recipient }] });
const templates = (time: number) => ({ entry: [{ id: "1", time, changes: [{ field: "template_category_update", value: { name: "a" } }] }] });
const payment = (account: string) => ({
  notificationItems: [{ NotificationRequestItem: { pspReference: "1", eventCode: "CAPTURE", success: "true", merchantAccountCode: account } }],
});
const mail = (timestamp: number) => ({ "event-data": { id: "abc", timestamp } });
const change = (more: object) => ({ event_type: "FILE_UPDATE", webhook_id: "1", timestamp: "2026-01-01T00:00:00Z", ...more });
const order = (attributes: object) => ({
  meta: { event_name: "subscription_updated" },
  data: { type: "subscriptions", id: "1", attributes: { updated_at: "2026-01-01T00:00:00Z", ...attributes } },
});
const crm = (more: object) => [{ portalId: 1, subscriptionId: 2, eventId: 3, occurredAt: 4, ...more }];
const pubsub = (subscription: string) => ({ message: { messageId: "1" }, subscription });
const opened = (more: object) => ({ RecordType: "Open", MessageID: "1", Recipient: "a@example.com", ReceivedAt: "2026-01-01T00:00:00Z", ...more });
const signedAt = (time: string, signature: string): Headers => ({ "x-webflow-timestamp": time, "x-webflow-signature": signature });
const deploy = (more: object) => ({ id: "1", state: "ready", updated_at: "2026-01-01T00:00:00Z", ...more });
const signing = (id: string) =>
  new URLSearchParams({ json: JSON.stringify({ event: { event_hash: "c0ffee" }, signature_request: { signature_request_id: id } }) });

it.each<[name: string, what: string, first: Sent, second: Sent]>([
  ["whatsapp", "two messages", [entry({ messages: [{ id: "a" }] })], [entry({ messages: [{ id: "b" }] })]],
  ["whatsapp", "a message that was delivered, and then read", [status("a", "delivered")], [status("a", "read")]],
  ["whatsapp", "a message that two of a group have read", [status("a", "read", "x")], [status("a", "read", "y")]],
  ["whatsapp", "a message, and its status under the same id", [entry({ messages: [{ id: "a" }] })], [status("a", "")]],
  ["whatsapp", "two batches that begin alike", [entry({ messages: [{ id: "a" }, { id: "b" }] })], [entry({ messages: [{ id: "a" }] })]],
  ["whatsapp", "a template that moves twice: the entry's time tells", [templates(1)], [templates(2)]],
  ["whatsapp", "ids that hold the separator", [entry({ messages: [{ id: "a:b" }] })], [status("a", "b")]],
  ["webflow", "one stock twice, in the same bytes", ["{}", signedAt("1", "aa")], ["{}", signedAt("2", "bb")]],
  ["adyen", "one reference in two merchant accounts", [payment("a")], [payment("b")]],
  ["mailgun", "an id that comes again on another day", [mail(1_767_225_600.5)], [mail(1_767_312_000.5)]],
  ["figma", "two changes of one second", [change({ file_key: "1", comment: "a" })], [change({ file_key: "1", comment: "b" })]],
  ["lemon-squeezy", "two versions of one second", [order({ status: "active" })], [order({ status: "past_due" })]],
  ["lemon-squeezy", "two refunds of one second", [order({ refunded_amount: 1 })], [order({ refunded_amount: 2 })]],
  ["hubspot", "two values of one property", [crm({ propertyValue: "a" })], [crm({ propertyValue: "b" })]],
  ["hubspot", "two ends of one association", [crm({ toObjectId: 1 })], [crm({ toObjectId: 2 })]],
  ["hubspot", "two events without an eventId", [[{ portalId: 1, objectId: 2 }]], [[{ portalId: 1, objectId: 3 }]]],
  ["google-pubsub", "one message id in two topics", [pubsub("a")], [pubsub("b")]],
  ["postmark", "two traces of one message", [opened({}), { "x-pm-webhook-trace-id": "a" }], [opened({}), { "x-pm-webhook-trace-id": "b" }]],
  ["postmark", "two openings without a trace", [opened({})], [opened({ ReceivedAt: "2026-01-01T00:00:01Z" })]],
  ["postmark", "two events without a message", [{ RecordType: "SubscriptionChange", a: 1 }], [{ RecordType: "SubscriptionChange", a: 2 }]],
  ["twilio", "two states of a message, without a token", [new URLSearchParams({ S: "sent" })], [new URLSearchParams({ S: "read" })]],
  ["slack", "two views that were closed", [new URLSearchParams({ payload: '{"a":1}' })], [new URLSearchParams({ payload: '{"a":2}' })]],
  ["gitlab token", "two pushes of an old server", [{ after: "1" }], [{ after: "2" }]],
  ["pipedrive", "two changes of webhooks v1", [{ current: 1 }], [{ current: 2 }]],
  ["mandrill", "two batches", [new URLSearchParams({ mandrill_events: "[1]" })], [new URLSearchParams({ mandrill_events: "[2]" })]],
  ["dropbox-sign", "two documents that were signed in one second", [signing("a")], [signing("b")]],
  ["dropbox", "two changes of one account, in the same bytes", ["{}", { "cf-ray": "a" }], ["{}", { "cf-ray": "b" }]],
  ["dropbox", "two changes under one ray", ['{"a":1}', { "cf-ray": "a" }], ['{"a":2}', { "cf-ray": "a" }]],
  ["dropbox", "two deliveries without a ray", ["{}"], ["{}"]],
  ["netlify", "a deploy that starts, and ends", [deploy({ state: "building" })], [deploy({})]],
  ["netlify", "two facts about one state of a deploy", [deploy({}), { "x-netlify-event": "a" }], [deploy({}), { "x-netlify-event": "b" }]],
  ["monday", "two ids that a double would not tell apart", ['{"event":{"id":9007199254740992}}'], ['{"event":{"id":9007199254740993}}']],
])("%s: %s are two events", async (name, _, first, second) => {
  const [one, other] = [await idsOf(preset(name), first), await idsOf(preset(name), second)];
  for (const [id] of [one, other]) expect(["missing_event_id", "malformed_payload", undefined]).not.toContain(id);
  expect(one).not.toEqual(other);
});

const RETRY = { "x-slack-retry-num": "1" };
const TWICE = "Body=a%20b&To=%2B49";

it.each<[name: string, what: string, first: Sent, second: Sent]>([
  ["whatsapp", "a message whose entry says another time", [entry({ messages: [{ id: "a" }] })], [entry({ messages: [{ id: "a" }], x: 1 })]],
  ["figma", "a retry, under a new passcode", [change({ retries: 0, passcode: "a" })], [change({ retries: 1, passcode: "b" })]],
  ["hubspot", "a retry without an eventId", [[{ objectId: 1, attemptNumber: 0 }]], [[{ objectId: 1, attemptNumber: 1 }]]],
  ["pipedrive", "a retry of webhooks v1", [{ current: 1, retry: 0 }], [{ current: 1, retry: 1 }]],
  ["pipedrive", "a retry that is the first to count", [{ current: 1 }], [{ retry: 1, current: 1 }]],
  ["monday", "a retry", [{ event: { isRetry: false, boardId: 1 } }], [{ event: { isRetry: true, boardId: 1 } }]],
  ["mailgun", "a retry, signed anew", [{ ...mail(1.25), signature: { token: "a" } }], [{ ...mail(1.25), signature: { token: "b" } }]],
  ["slack", "a retry of what has no id", ["{}"], ["{}", RETRY]],
  [
    "postmark",
    "a retry",
    [opened({}), { "x-pm-webhook-trace-id": "a" }],
    [opened({}), { "x-pm-webhook-trace-id": "a", "x-pm-retries-remaining": "5" }],
  ],
  ["lemon-squeezy", "a retry", [order({ refunded: false })], [order({ refunded: false })]],
  ["dropbox", "one request that the edge hands over twice", ["{}", { "cf-ray": "a" }], ["{}", { "cf-ray": "a" }]],
  ["netlify", "a redelivery", [deploy({}), { "x-netlify-event": "a" }], [deploy({}), { "x-netlify-event": "a" }]],
])("%s: %s is one event", async (name, _, first, second) => {
  const one = await idsOf(preset(name), first);
  expect(one.length).toBe(1);
  expect(await idsOf(preset(name), second)).toEqual(one);
});

it.each(["twilio", "mandrill"])("a captured form of %s is the same event in another encoding, where the signature is the same", async (name) => {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  // Of Mandrill's field there may be only one: which of two is the event, the signature does not say.
  const encoded =
    name === "mandrill"
      ? ["To=%2b49&mandrill_events=a+b", "mandrill_events=%61%20b&To=%2B49"]
      : [TWICE, "To=%2b49&Body=a+b", "Body=%61%20b&Body=a+b&To=%2B49"];
  const ids = await Promise.all(encoded.map((text) => idsOf(preset(name), [text, form])));
  expect(new Set(ids.map(String)).size).toBe(1);
  expect(ids[0]?.[0]).toMatch(/^sha256:[0-9a-f]{64}$/);
});

it("a body that is nested too deep for a stack has an id, without its counter", async () => {
  const deep = (attempt: number) => `{"event":{"isRetry":${attempt},"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`;
  const [first, second] = [await idsOf(preset("monday"), [deep(0)]), await idsOf(preset("monday"), [deep(1)])];
  expect(first[0]).toMatch(/^sha256:/);
  expect(second).toEqual(first);
});

it("a delivery of several events that is no JSON is refused, and not taken to be a dead letter", async () => {
  for (const name of Object.keys(registry).filter((one) => preset(one).split !== null)) {
    for (const body of ['{"entry":[', "", "\ufffd[]"])
      expect(await identify(preset(name), deliveryOf([body])), name).toEqual({ ok: false, failure: "malformed_payload" });
  }
});
