/** Azure Event Grid: https://learn.microsoft.com/azure/event-grid/end-point-validation-event-grid-events-schema */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compoundWith, digest, header, json, query, type Reader } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface EventGridOptions extends SourceOptions {
  /** Where the shared secret travels; `?code=` at the end of the endpoint's URL unless given. A delivery property of the subscription makes it a header. */
  readonly token?: Reader;
}

/** Event subscriptions in either schema, with a secret of your own in the URL or in a header. Event Grid signs nothing. */
export function eventGrid<Data = unknown>({ token = query("code"), ...options }: EventGridOptions = {}): Provider<Data> {
  return preset(
    {
      name: "event-grid",
      title: "Azure Event Grid",
      docs: "https://learn.microsoft.com/azure/event-grid/end-point-validation-event-grid-events-schema",
      scheme: { kind: "token", at: token, prefix: "" },
      id: [digest()],
      type: [],
      // One event at a time, in an array; the CloudEvents schema without the array. Publishers number their events each for itself.
      split: {
        items: [],
        id: [compoundWith([json("id")], [json("topic"), json("source")])],
        type: [json("eventType"), json("type")],
        occurredAt: { from: json("eventTime"), unit: "iso" },
      },
      handshakes: [
        {
          kind: "post_echo",
          when: [{ at: header("aeg-event-type"), is: "SubscriptionValidation" }],
          challenge: json("0.data.validationCode"),
          as: { field: "validationResponse" },
          signed: true,
        },
        // The CloudEvents schema asks otherwise.
        { kind: "options_cloudevents" },
      ],
      hint: "{secret} is the text after ?code= in the endpoint's URL of the event subscription: make one up, long and random",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: 30,
        unverified: ["That a retry repeats the event with its id: Event Grid delivers at least once, and has an id for each event."],
      },
    },
    options,
  );
}

/** https://learn.microsoft.com/azure/event-grid/event-schema */
export const eventGridSample: MakeSample = (type = "Contoso.Orders.Paid", { id, user, amount, reference }) => ({
  type,
  body: [
    {
      id,
      topic: "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders",
      subject: `orders/${reference ?? id}`,
      eventType: type,
      eventTime: "2026-01-01T00:00:00.1234567Z",
      data: { userId: user, amount, reference: reference ?? id },
      dataVersion: "1",
      metadataVersion: "1",
    },
  ],
  headers: {
    "content-type": "application/json; charset=utf-8",
    "aeg-event-type": "Notification",
    "aeg-subscription-name": "HOLDFAST",
    "aeg-delivery-count": "0",
    "aeg-data-version": "1",
    "aeg-metadata-version": "1",
  },
});
