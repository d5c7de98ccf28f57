/** Persona: https://docs.withpersona.com/docs/webhooks-best-practices */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function persona<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "persona",
      title: "Persona",
      docs: "https://docs.withpersona.com/docs/webhooks-best-practices",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        // During a rotation there are two whole lists, one for each secret, with a space between.
        signature: { at: [header("persona-signature")], form: "pairs", groups: " ", signatureKey: "v1", timestampKey: "t", encoding: "hex" },
        message: ["timestamp", { literal: "." }, "body"],
        timestamp: { at: "signature", unit: "s" },
      },
      id: [json("data.id")],
      type: [json("data.attributes.name")],
      occurredAt: { from: json("data.attributes.created-at"), unit: "iso" },
      hint: "{secret} is the webhook's secret in the Webhooks section of the dashboard, the whole text with its prefix; sandbox and production have different ones",
      facts: {
        proof: "documentation",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "That data.id is the event's and the same when it is sent again, and that data.attributes.name is its type.",
          "That a retry is signed with a new time: the page calls t the time at which the request was sent.",
        ],
      },
    },
    options,
  );
}

/** https://docs.withpersona.com/docs/events */
export const personaSample: MakeSample = (type = "inquiry.completed", { id, user, amount, reference }) => {
  const now = new Date().toISOString();
  const fields = { user: { type: "string", value: user }, amount: { type: "integer", value: amount } };
  const attributes = { status: "completed", "reference-id": reference ?? id, "created-at": now, fields };
  return {
    type,
    body: {
      data: {
        type: "event",
        id,
        attributes: { name: type, payload: { data: { type: "inquiry", id: "inq_hFMnF4Z7kgAfVSMJEbJTD7HL", attributes } }, "created-at": now },
      },
    },
    headers: { "content-type": "application/json" },
  };
};
