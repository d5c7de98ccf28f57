/** Pure. What a preset may say about where the event's id and type stand. */
import { type Delivery, type Reader, steps } from "../core/delivery.ts";
import { covers, coversBody, coversForm } from "../schemes/coverage.ts";
import type { Scheme } from "../schemes/scheme.ts";

export { form, header, json, literal, query, type Reader } from "../core/delivery.ts";

export type IdReader =
  | Reader
  | Compound
  /**
   * Where the provider has no id: the body's SHA-256, of a JSON body without the fields that change from one delivery to the next, of a form whose
   * fields are what is signed of these.
   */
  | { readonly digest: "body"; readonly without: readonly (readonly string[])[] }
  /** A new one for each delivery, where two facts may look alike and none may be lost (Dropbox): a redelivery runs again. */
  | { readonly each: "delivery" };

/** Several values that name one event only together: all but the optional ones must be there. */
export interface Compound {
  readonly compound: readonly Reader[];
  readonly optional: readonly Reader[];
  /** Only their SHA-256 is kept: what authenticates (a signature, a token) must never stand in a key, a log or the console. */
  readonly hashed?: true;
}

export type TypeReader =
  | Reader
  /** `head`, and `.tail` after it where there is one: `pull_request` and `opened` are `pull_request.opened`. */
  | { readonly head: Reader; readonly tail: Reader }
  /** The name of the first field of an object that is none of these (Telegram, X: the field says what happened). */
  | { readonly firstField: readonly string[]; readonly except: readonly string[] };

export const joined = (head: Reader, tail: Reader): TypeReader => ({ head, tail });
export const compound = (...compound: readonly Reader[]): Compound => ({ compound, optional: [] });
/** `optional`: part of the name where they are there. */
export const compoundWith = (compound: readonly Reader[], optional: readonly Reader[]): Compound => ({ compound, optional });
export const hashed = (reader: Compound): IdReader => ({ ...reader, hashed: true });
/** `without`: paths of fields that change from one delivery to the next (`attempt`, `meta.sent_at`). */
export const digest = (...without: readonly string[]): IdReader => ({ digest: "body", without: without.map(steps) });
/** What Cloudflare's edge calls a request. Set there: no sender can choose it. */
export const RAY: Reader = { header: "cf-ray" };
export const eachDelivery = (): IdReader => ({ each: "delivery" });
export const firstField = (path: string, ...except: readonly string[]): TypeReader => ({ firstField: steps(path), except });

/** Whether the signature covers what this reader reads. If not, whoever captured a request can change it and stay authentic. */
export function isSigned(reader: IdReader, scheme: Scheme): boolean {
  // Nothing that a sender wrote is read but the body, so there is nothing to change, and equal bodies are what is expected.
  if ("each" in reader) return true;
  if ("digest" in reader) return coversBody(scheme) || coversForm(scheme);
  return "compound" in reader ? [...reader.compound, ...reader.optional].every((part) => covers(scheme, part)) : covers(scheme, reader);
}

/** Whether an id can only come from the JSON body: then a body that does not parse is what is wrong. */
export function needsJson(reader: IdReader): boolean {
  if ("digest" in reader || "each" in reader) return false;
  return "compound" in reader ? reader.compound.some((part) => "json" in part) : "json" in reader;
}

export function readType(reader: TypeReader, delivery: Delivery): string | null {
  if ("head" in reader) {
    const head = delivery.read(reader.head);
    if (head === null || head.trim() === "") return null;
    const tail = delivery.read(reader.tail);
    return tail === null || tail.trim() === "" ? head : `${head}.${tail}`;
  }
  if ("firstField" in reader) {
    const object = delivery.json.at(reader.firstField);
    if (typeof object !== "object" || object === null || Array.isArray(object)) return null;
    return Object.keys(object).find((name) => !reader.except.includes(name)) ?? null;
  }
  return delivery.read(reader);
}
