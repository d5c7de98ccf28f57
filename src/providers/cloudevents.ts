/** CloudEvents: https://github.com/cloudevents/spec/blob/main/cloudevents/http-webhook.md */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compound, digest, header, json, query } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface CloudeventsOptions extends SourceOptions {
  /** Where the token travels: in `Authorization: Bearer`, or, for senders that cannot, as `?access_token=`. */
  readonly token?: "header" | "query";
  /** For senders of the batched mode (`application/cloudevents-batch+json`): a delivery is then an array of events. */
  readonly batch?: boolean;
}

const ID = [compound(header("ce-source"), header("ce-id")), compound(json("source"), json("id"))];
const TYPE = [header("ce-type"), json("type")];
const TIME = { from: json("time"), unit: "iso" } as const;

/** Binary mode (attributes in `ce-` headers) and structured mode alike. Source and id together name an event. */
export function cloudevents<Data = unknown>({ token = "header", batch = false, ...options }: CloudeventsOptions = {}): Provider<Data> {
  return preset(
    {
      name: "cloudevents",
      title: "CloudEvents",
      docs: "https://github.com/cloudevents/spec/blob/main/cloudevents/http-webhook.md",
      scheme:
        token === "header"
          ? { kind: "token", at: header("authorization"), prefix: "Bearer " }
          : { kind: "token", at: query("access_token"), prefix: "" },
      id: batch ? [digest()] : ID,
      type: batch ? [] : TYPE,
      occurredAt: batch ? null : TIME,
      split: batch ? { items: [], id: ID, type: TYPE, occurredAt: TIME } : null,
      handshakes: [{ kind: "options_cloudevents" }],
      // "The sender MUST observe the value of the Retry-After header."
      honoursRetryAfter: true,
      hint: "{secret} is the token that the sender puts after `Authorization: Bearer`: the specification wants one, and signs nothing",
      facts: { proof: "documentation", checked: "2026-11-30", sameIdOnRetry: true, ackSeconds: null, unverified: [] },
    },
    options,
  );
}

/** Binary mode: https://github.com/cloudevents/spec/blob/main/cloudevents/bindings/http-protocol-binding.md */
export const cloudeventsSample: MakeSample = (type = "com.example.order.paid", { id, user, amount, reference }) => ({
  type,
  body: { userId: user, amount, reference: reference ?? id },
  headers: {
    "content-type": "application/json; charset=utf-8",
    "webhook-request-origin": "eventemitter.example.com",
    "ce-specversion": "1.0",
    "ce-id": id,
    "ce-source": "/orders",
    "ce-type": type,
    "ce-time": "2026-01-01T00:00:00Z",
  },
});
