/** The example of docs/custom-providers.md, word for word below this line: a test compares them, and signs for each as its sender would. */
import { compound, custom, defineSources, digest, header, joined, json, literal, onFor } from "#holdfast";

interface ParcelEvent {
  readonly id: string;
  readonly type: string;
  readonly parcel: { readonly number: string };
}

/** `X-Acme-Signature: t=1767225600,v1=<hex>`: the HMAC of `<t>.<body>`. */
const acme = custom<ParcelEvent>({
  name: "acme",
  scheme: {
    kind: "hmac",
    hash: "SHA-256",
    key: "utf8",
    signature: { at: [header("x-acme-signature")], form: "pairs", signatureKey: "v1", timestampKey: "t", encoding: "hex" },
    message: ["timestamp", { literal: "." }, "body"],
    timestamp: { at: "signature", unit: "s" },
  },
  id: [json("id")],
  type: [json("type")],
  occurredAt: { from: json("created_at"), unit: "iso" },
});

/** `Authorization: Bearer <token>`. A job is reported once in each of its states, and the report has no id of its own. */
const printer = custom({
  name: "printer",
  scheme: { kind: "token", at: header("authorization"), prefix: "Bearer " },
  id: [compound(json("job.id"), json("job.state"))],
  type: [joined(literal("job"), json("job.state"))],
});

interface Reading {
  readonly reading_id: string;
  readonly kind: string;
  readonly value: number;
}

/** `X-Signature: <base64>`: the HMAC of the body, which is `{ "readings": [...] }`. Each reading becomes an event of its own. */
const meters = custom<Reading>({
  name: "meters",
  scheme: {
    kind: "hmac",
    hash: "SHA-256",
    key: "base64",
    signature: { at: [header("x-signature")], form: "plain", prefix: "", encoding: "base64" },
    message: ["body"],
    timestamp: null,
  },
  id: [digest()],
  type: [],
  split: { items: ["readings"], id: [json("reading_id")], type: [json("kind")], occurredAt: { from: json("measured_at"), unit: "iso" } },
});

export const sources = defineSources({ acme, "printer-berlin": printer, meters });
export const on = onFor(sources);
