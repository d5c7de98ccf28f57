/** Onfido: https://github.com/onfido/onfido-node */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function onfido<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "onfido",
      title: "Onfido",
      docs: "https://github.com/onfido/onfido-node",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-sha2-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      // There is no event id, and payload.object.id is the object's: one action can happen to it more than once.
      id: [digest()],
      type: [json("payload.action")],
      occurredAt: { from: json("payload.object.completed_at_iso8601"), unit: "iso" },
      hint: "{secret} is the webhook's token, shown when the webhook is created, not an API token",
      facts: {
        proof: "vector",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "That a retry carries the same bytes, which is what the id is made of.",
          "That one action on one object never comes twice with the same bytes.",
        ],
      },
    },
    options,
  );
}

/** The body of Onfido's own library's tests. */
export const onfidoSample: MakeSample = (type = "check.completed", { id, user, amount, reference }) => {
  const [resource = "check"] = type.split(".");
  return {
    type,
    body: {
      payload: {
        resource_type: resource,
        action: type,
        object: { id, status: "complete", completed_at_iso8601: "2026-01-01T00:00:00Z", href: `https://api.eu.onfido.com/v3.6/checks/${id}` },
        resource: { id, applicant_id: user, result: "clear", tags: [`amount:${amount}`, `reference:${reference ?? id}`] },
      },
    },
    headers: { "content-type": "application/json" },
  };
};
