/** Postmark: https://postmarkapp.com/developer/webhooks/webhooks-overview */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compoundWith, json, literal } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Postmark signs nothing: what proves the sender is the user and password in the webhook's URL. Outgoing and inbound webhooks alike. */
export function postmark<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "postmark",
      title: "Postmark",
      docs: "https://postmarkapp.com/developer/webhooks/webhooks-overview",
      scheme: { kind: "basic" },
      // The message's id alone would make its delivery, its opens and its clicks one event. An inbound message has only that.
      id: [
        compoundWith(
          [json("MessageID")],
          ["RecordType", "ID", "Recipient", "DeliveredAt", "ReceivedAt", "BouncedAt", "ChangedAt", "OriginalLink"].map((field) => json(field)),
        ),
      ],
      type: [json("RecordType"), literal("Inbound")],
      // "Retries a webhook when your server does not return 200 OK", and gives up at 403.
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
          "That Postmark takes only 200 for outgoing webhooks too.",
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
