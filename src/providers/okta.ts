/** Okta event hooks: https://developer.okta.com/docs/concepts/event-hooks/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface OktaOptions extends SourceOptions {
  /** In lower case: the header that the hook's authentication field names. */
  readonly header?: string;
}

/** A text in a header is the only proof, and proves nothing about the body. What happens within a short time comes in one request. */
export function okta<Data = unknown>({ header: name = "authorization", ...options }: OktaOptions = {}): Provider<Data> {
  return preset(
    {
      name: "okta",
      title: "Okta event hooks",
      docs: "https://developer.okta.com/docs/concepts/event-hooks/",
      scheme: { kind: "token", at: header(name), prefix: "" },
      id: [json("eventId")],
      type: [],
      occurredAt: { from: json("eventTime"), unit: "iso" },
      split: {
        items: ["data", "events"],
        id: [json("uuid")],
        type: [json("eventType")],
        occurredAt: { from: json("published"), unit: "iso" },
      },
      handshakes: [
        { kind: "get_echo", challenge: header("x-okta-verification-challenge"), where: {}, tokenParam: null, as: { field: "verification" } },
      ],
      acknowledgement: { status: 204, body: null, contentType: "application/json" },
      hint: "the Authentication secret of the event hook must be the text in {secret}, whole: with `Bearer ` before it, that belongs to it",
      facts: { proof: "documentation", checked: "2026-11-30", sameIdOnRetry: true, ackSeconds: 3, unverified: [] },
    },
    options,
  );
}

export const oktaSample: MakeSample = (type = "user.session.start", { id, user, amount, reference }) => ({
  type,
  body: {
    eventType: "com.okta.event_hook",
    eventTypeVersion: "1.0",
    cloudEventsVersion: "0.1",
    source: "https://example.okta.com/api/v1/eventHooks/who7hphp39JoHLni81d7",
    eventId: `request-${id}`,
    data: {
      events: [
        {
          uuid: id,
          published: "2026-01-01T00:00:00.000Z",
          eventType: type,
          version: "0",
          displayMessage: "User login to Okta",
          severity: "INFO",
          actor: { id: user, type: "User", alternateId: "admin@okta.com", displayName: "Admin Name" },
          outcome: { result: "SUCCESS", reason: null },
          target: [{ id: reference ?? id, type: "AppInstance", displayName: "Okta Admin Console" }],
          debugContext: { debugData: { amount: String(amount) } },
        },
      ],
    },
    eventTime: "2026-01-01T00:00:01.000Z",
    contentType: "application/json",
  },
  headers: { accept: "application/json", "content-type": "application/json" },
});
