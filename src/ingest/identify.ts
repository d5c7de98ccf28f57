/** Pure. Which event a verified delivery is: id, type and time, bounded and clean, as the provider wrote them. Never throws. */
import { EVENT_ID_LIMIT_BYTES, TYPE_LIMIT_BYTES } from "../core/limits.ts";
import type { IdentityRefusal } from "../core/reasons.ts";
import { failed, ok, type Result } from "../core/result.ts";
import type { Provider } from "../providers/provider.ts";
import { isSigned, JsonBody, read, type Joined } from "../providers/readers.ts";

export interface Identity {
  readonly id: string;
  /** Whether the signature covers the id. If not, whoever captured a request can send it again as another event. */
  readonly idSigned: boolean;
  /** Two places for the id, two ids: the first won. */
  readonly idDisagrees: boolean;
  readonly type: string;
  readonly occurredAtMs: number | null;
}

const UNKNOWN_TYPE = "unknown";
/** The end of year 9999: later times do not fit ISO 8601's four digits, and no provider means them. */
const LATEST_MS = 253_402_300_799_999;

export function identify(provider: Provider, headers: Headers, bytes: Uint8Array): Result<Identity, IdentityRefusal> {
  const body = new JsonBody(bytes);
  const ids = provider.id.flatMap((reader) => {
    const id = usable(read(reader, headers, body), EVENT_ID_LIMIT_BYTES);
    return id === null ? [] : [{ id, idSigned: isSigned(reader, provider.scheme) }];
  });
  const [first] = ids;
  if (first === undefined) {
    const needsBody = provider.id.some((reader) => "json" in reader);
    return failed(needsBody && body.isMalformed ? "malformed_payload" : "missing_event_id");
  }
  return ok({
    ...first,
    idDisagrees: ids.some(({ id }) => id !== first.id),
    type: typeOf(provider.type, headers, body),
    occurredAtMs: occurredAt(provider.occurredAt, headers, body),
  });
}

/** Text that may become a key or a column: not blank, bounded, and what Postgres and every JSON parser take (no NUL, no lone surrogate). */
function usable(text: string | null, limitBytes: number): string | null {
  if (text === null || text.trim() === "" || text.includes("\0") || !text.isWellFormed()) return null;
  // A UTF-16 unit is at least one byte: the first test spares encoding megabytes.
  return text.length <= limitBytes && new TextEncoder().encode(text).length <= limitBytes ? text : null;
}

function typeOf(readers: Provider["type"], headers: Headers, body: JsonBody): string {
  for (const reader of readers) {
    const type = usable("head" in reader ? readJoined(reader, headers, body) : read(reader, headers, body), TYPE_LIMIT_BYTES);
    if (type !== null) return type;
  }
  return UNKNOWN_TYPE;
}

function readJoined({ head, tail }: Joined, headers: Headers, body: JsonBody): string | null {
  const text = read(head, headers, body);
  if (text === null || text.trim() === "") return null;
  const rest = read(tail, headers, body);
  return rest === null || rest.trim() === "" ? text : `${text}.${rest}`;
}

function occurredAt(rule: Provider["occurredAt"], headers: Headers, body: JsonBody): number | null {
  const text = rule === null ? null : read(rule.from, headers, body);
  if (rule === null || text === null) return null;
  const ms = rule.unit === "iso" ? isoMs(text) : numberMs(text, rule.unit === "s" ? 1_000 : 1);
  return ms >= 0 && ms <= LATEST_MS ? ms : null;
}

/** With a zone only: without one, a date means another instant on every machine. */
function isoMs(text: string): number {
  return /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:?\d{2})$/.test(text) ? Date.parse(text) : Number.NaN;
}

function numberMs(text: string, msPerUnit: number): number {
  return /^\d{1,15}(?:\.\d{1,9})?$/.test(text) ? Math.round(Number(text) * msPerUnit) : Number.NaN;
}
