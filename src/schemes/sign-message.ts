/** The sender's half of signed-message.ts, for tests and `npm run send`. */
import { valueAt } from "../core/json-body.ts";
import { utf8 } from "./bytes.ts";
import { sha256Hex } from "./digest.ts";
import { splitSecret } from "./key.ts";
import { put, setAt, viewOf } from "./put.ts";
import type { Outgoing, Signed, SigningKeys } from "./request.ts";
import { writeSignature } from "./signature.ts";
import type { SignedMessage } from "./signed-message.ts";
import { assemble, flatten } from "./template.ts";
import { writeTime } from "./timestamp.ts";

/** The request as its sender would make it. */
export async function signSigned(
  rules: SignedMessage,
  outgoing: Outgoing,
  { secret }: SigningKeys,
  mac: (message: Uint8Array) => Promise<Uint8Array>,
): Promise<Signed> {
  const { items } = rules;
  if (items !== undefined) return signItems(rules, items, outgoing, { secret, privateKey: null }, mac);
  const timestamp = rules.timestamp === null ? "" : writeTime(rules.timestamp, outgoing.timestampMs);
  let request: Signed = outgoing;
  for (const part of flatten(rules.message)) {
    if (typeof part === "object" && "id" in part) request = put(request, { header: part.id }, outgoing.headers[part.id] ?? outgoing.id);
  }
  if (rules.timestamp !== null && rules.timestamp.at !== "signature") {
    request = put(request, rules.timestamp.at, timestamp, rules.timestamp.unit !== "iso");
  }
  if (rules.pinned !== undefined) request = put(request, rules.pinned, secret);
  if (rules.bodyDigest !== undefined && viewOf(request).form === null) request = put(request, rules.bodyDigest, await sha256Hex(request.body));
  const message = await assemble(rules.message, { delivery: viewOf(request), timestamp, secret });
  if (!message.ok)
    throw new TypeError(`the message cannot be signed: ${message.failure.reason} ${"place" in message.failure ? message.failure.place : ""}`);
  const [at] = rules.signature.at;
  if (at === undefined) throw new TypeError("the scheme has no place for a signature");
  return put(request, at, writeSignature(rules.signature, await mac(message.value), timestamp, splitSecret(secret)?.id ?? ""));
}

async function signItems(
  rules: SignedMessage,
  items: readonly string[],
  outgoing: Outgoing,
  keys: SigningKeys,
  mac: (message: Uint8Array) => Promise<Uint8Array>,
): Promise<Signed> {
  const { items: _, ...each } = rules;
  const root: unknown = JSON.parse(new TextDecoder().decode(outgoing.body));
  const list = valueAt(root, items);
  if (!Array.isArray(list)) throw new TypeError(`the body has no array at "${items.join(".")}"`);
  const signed: unknown[] = [];
  for (const item of list) {
    const one = await signSigned(each, { ...outgoing, body: utf8(JSON.stringify(item)) }, keys, mac);
    signed.push(JSON.parse(new TextDecoder().decode(one.body)));
  }
  return { ...outgoing, body: utf8(JSON.stringify(setAt(root, items, signed))) };
}
