/** Cal.com: https://cal.com/docs/core-features/webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compound, digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/**
 * For webhooks without a payload template of one's own, which could leave out all that is read here. Cal.com sends no id: what happened, the booking
 * and when name it together, and where there is no booking the body's digest.
 */
export function calCom<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "cal-com",
      title: "Cal.com",
      docs: "https://cal.com/docs/core-features/webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-cal-signature-256")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [compound(json("triggerEvent"), json("payload.uid"), json("createdAt")), digest()],
      type: [json("triggerEvent")],
      occurredAt: { from: json("createdAt"), unit: "iso" },
      hint: "the secret of the webhook on Cal.com must be the text in {secret}: without one the header says no-secret-provided",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["Whether Cal.com tries again, and then with the same createdAt."],
      },
    },
    options,
  );
}

export const calComSample: MakeSample = (type = "BOOKING_CREATED", { id, user, amount, reference }) => ({
  type,
  body: {
    triggerEvent: type,
    createdAt: "2026-01-01T09:30:00.538Z",
    payload: {
      type: "60min",
      title: "60min between Pro Example and John Doe",
      startTime: "2026-01-02T09:30:00Z",
      endTime: "2026-01-02T10:30:00Z",
      organizer: { id: 5, name: "Pro Example", email: "pro@example.com", timeZone: "Asia/Kolkata" },
      attendees: [{ email: "john.doe@example.com", name: user, timeZone: "Asia/Kolkata" }],
      uid: id,
      price: amount,
      currency: "eur",
      bookingId: 91,
      metadata: { reference: reference ?? id },
      status: "ACCEPTED",
    },
  },
  headers: { "content-type": "application/json" },
});
