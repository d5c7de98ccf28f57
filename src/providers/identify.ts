/**
 * Which event a verified delivery is: id, type and time, bounded and clean, as the provider wrote them. From the delivery alone, but for the rare page
 * that wants a new id for each; never throws.
 */
import type { Delivery } from "../core/delivery.ts";
import { withoutFields } from "../core/json-without.ts";
import { EVENT_ID_LIMIT_BYTES, TYPE_LIMIT_BYTES } from "../core/limits.ts";
import type { IdentityRefusal } from "../core/reasons.ts";
import { failed, ok, type Result } from "../core/result.ts";
import { utf8 } from "../schemes/bytes.ts";
import { coversForm } from "../schemes/coverage.ts";
import { sha256Hex } from "../schemes/digest.ts";
import { sortedForm } from "../schemes/template.ts";
import { timeMs } from "../schemes/timestamp.ts";
import type { OccurredAt, Provider, Split } from "./provider.ts";
import { isSigned, needsJson, RAY, readType, type IdReader, type TypeReader } from "./readers.ts";

export interface Identity {
  readonly id: string;
  /** Whether the signature covers the id. If not, whoever captured a request can send it again as another event. */
  readonly idSigned: boolean;
  /** Two places for the id, two ids: the first won. */
  readonly idDisagrees: boolean;
  readonly type: string;
  readonly occurredAtMs: number | null;
}

/** The id of a delivery that carries several events begins with this: it can never be taken for one of them. */
export const DELIVERY_PREFIX = "delivery:";
const DELIVERY_TYPE = "delivery";
const UNKNOWN_TYPE = "unknown";
/** The end of year 9999: later times do not fit ISO 8601's four digits, and no provider means them. */
const LATEST_MS = 253_402_300_799_999;

/** Of a provider that splits, the delivery itself: `delivery:<id>`. */
export async function identify(provider: Provider, delivery: Delivery): Promise<Result<Identity, IdentityRefusal>> {
  // Accepted, it would be a dead letter for certain: the sender is told instead, who may have cut it short.
  if (provider.split !== null && delivery.json.isMalformed) return failed("malformed_payload");
  const prefix = provider.split === null ? "" : DELIVERY_PREFIX;
  const ids: { readonly id: string; readonly idSigned: boolean }[] = [];
  for (const reader of provider.id) {
    const text = await readId(reader, delivery, coversForm(provider.scheme));
    const id = text === null ? null : usable(`${prefix}${text}`, EVENT_ID_LIMIT_BYTES);
    if (id !== null) ids.push({ id, idSigned: isSigned(reader, provider.scheme) });
    // A digest is not another place for the same id, but what is taken where there is none.
    if (ids.length > 0 && provider.id.some((one) => "digest" in one)) break;
  }
  const [first] = ids;
  if (first === undefined) return failed(provider.id.some(needsJson) && delivery.json.isMalformed ? "malformed_payload" : "missing_event_id");
  return ok({
    ...first,
    idDisagrees: ids.some(({ id }) => id !== first.id),
    type: provider.split === null ? typeOf(provider.type, delivery) : DELIVERY_TYPE,
    occurredAtMs: occurredAt(provider.occurredAt, delivery),
  });
}

/** The id as the headers alone give it, of a delivery whose body nobody has read; not verified. */
export function announcedId(provider: Provider, delivery: Delivery): string | null {
  for (const reader of provider.id) {
    const id = "header" in reader ? usable(delivery.read(reader), EVENT_ID_LIMIT_BYTES) : null;
    if (id !== null) return id;
  }
  return null;
}

export type ItemIdentity = Pick<Identity, "id" | "type" | "occurredAtMs">;

/** One event of a delivery that carries several; `item` has the item's bytes as its body. Where it has no usable id, its digest is one. */
export async function identifyItem(split: Split, item: Delivery): Promise<ItemIdentity> {
  let id: string | null = null;
  for (const reader of split.id) {
    id ??= usable(await readId(reader, item, false), EVENT_ID_LIMIT_BYTES);
    if (id?.startsWith(DELIVERY_PREFIX) === true) id = null;
  }
  return {
    id: id ?? `sha256:${await sha256Hex(item.body)}`,
    type: typeOf(split.type, item),
    occurredAtMs: occurredAt(split.occurredAt, item),
  };
}

/** null: there is none, or part of it is missing. */
async function readId(reader: IdReader, delivery: Delivery, isFormSigned: boolean): Promise<string | null> {
  // Rays are said to be rarely shared, hence the body. There is none in development, unless `npm run send` writes one.
  if ("each" in reader) return `each:${delivery.read(RAY) ?? crypto.randomUUID()}:${await sha256Hex(delivery.body)}`;
  if ("digest" in reader) {
    // Not the form's bytes: whoever captured a request could encode them otherwise and stay authentic.
    const { form } = delivery;
    return `sha256:${await sha256Hex(isFormSigned && form !== null ? utf8(sortedForm(form)) : stable(delivery, reader.without))}`;
  }
  if (!("compound" in reader)) {
    // A boolean can be asked after, but names nothing.
    if ("json" in reader && typeof delivery.jsonIn(reader.within)?.at(reader.json) === "boolean") return null;
    const text = delivery.read(reader);
    return text === null || text.trim() === "" ? null : text;
  }
  const parts: string[] = [];
  for (const part of reader.compound) {
    const text = delivery.read(part);
    if (text === null || text.trim() === "") return null;
    parts.push(text);
  }
  // Absent ones keep their place, so that no two lists of values give one id.
  for (const part of reader.optional) parts.push(delivery.read(part) ?? "");
  const text = parts.map((part) => part.replaceAll("%", "%25").replaceAll(":", "%3A")).join(":");
  return reader.hashed !== true && utf8(text).length <= EVENT_ID_LIMIT_BYTES ? text : `sha256:${await sha256Hex(utf8(text))}`;
}

/** A JSON body without the fields that differ between deliveries of one event. Any other body is taken as it is. */
function stable({ body, json }: Delivery, without: readonly (readonly string[])[]): Uint8Array {
  return without.length === 0 || json.isMalformed ? body : withoutFields(body, without);
}

/** Text that may become a key or a column: not blank, bounded, and what Postgres and every JSON parser take (no NUL, no lone surrogate). */
function usable(text: string | null, limitBytes: number): string | null {
  if (text === null || text.trim() === "" || text.includes("\0") || !text.isWellFormed()) return null;
  // A UTF-16 unit is at least one byte: the first test spares encoding megabytes.
  return text.length <= limitBytes && utf8(text).length <= limitBytes ? text : null;
}

function typeOf(readers: readonly TypeReader[], delivery: Delivery): string {
  for (const reader of readers) {
    const type = usable(readType(reader, delivery), TYPE_LIMIT_BYTES);
    if (type !== null) return type;
  }
  return UNKNOWN_TYPE;
}

function occurredAt(rule: OccurredAt | null, delivery: Delivery): number | null {
  const text = rule === null ? null : delivery.read(rule.from);
  if (rule === null || text === null) return null;
  const ms = rule.unit === "iso" ? timeMs(text, "iso") : numberMs(text, rule.unit === "s" ? 1_000 : 1);
  return ms >= 0 && ms <= LATEST_MS ? ms : null;
}

function numberMs(text: string, msPerUnit: number): number {
  return /^\d{1,15}(?:\.\d{1,9})?$/.test(text) ? Math.round(Number(text) * msPerUnit) : Number.NaN;
}
