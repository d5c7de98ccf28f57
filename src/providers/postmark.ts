/** Postmark: https://postmarkapp.com/developer/webhooks/webhooks-overview */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compoundWith, digest, header, json, literal } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Postmark signs nothing: what proves the sender is the user and password in the webhook's URL. Outgoing and inbound webhooks alike. */
export function postmark<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "postmark",
      title: "Postmark",
      docs: "https://postmarkapp.com/developer/webhooks/webhooks-overview",
      scheme: { kind: "basic" },
      // The same for all retries of one event. Where it is not sent: the message's id alone would make its delivery, its opens and its clicks one event.
      id: [
        header("x-pm-webhook-trace-id"),
        compoundWith(
          [json("MessageID")],
          ["RecordType", "ID", "Recipient", "DeliveredAt", "ReceivedAt", "BouncedAt", "ChangedAt", "OriginalLink"].map((field) => json(field)),
        ),
        digest(),
      ],
      type: [json("RecordType"), literal("Inbound")],
      // An inbound message is sent again until it is answered with 200, or 403. Of the others, any 4xx but 408 and 429 gives the event up: a wrong
      // password loses it.
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is user:password, and the same two stand in the webhook's URL at Postmark: https://user:password@...",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "Basic auth in the URL: the article on inbound retries was read, the rest is from public guides.",
          "That a retry repeats the whole payload, and with it every part of the id.",
          "That X-PM-Webhook-Trace-Id is there for every kind of event, and which 4xx are not retried: from copies of Postmark's pages.",
        ],
      },
    },
    options,
  );
}

/** https://postmarkapp.com/developer/webhooks/delivery-webhook */
export const postmarkSample: MakeSample = (type = "Delivery", { id, user, amount, reference }) => ({
  type,
  body: {
    ...(type === "Inbound" ? { Subject: "Hello", TextBody: "Hi there" } : { RecordType: type }),
    ServerID: 23,
    MessageStream: "outbound",
    MessageID: id,
    Recipient: `${user}@example.com`,
    Tag: "receipt",
    DeliveredAt: "2026-01-01T00:00:00Z",
    Details: "250 OK",
    Metadata: { user_id: user, order_id: reference ?? id, amount: String(amount) },
  },
  headers: { "content-type": "application/json", "user-agent": "Postmark" },
});
