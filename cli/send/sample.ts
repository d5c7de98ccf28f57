/** Pure. What is sent for a provider: its preset's sample, and for a `custom` one a payload of just what its page reads. */
import { EACH } from "../../src/core/json-slices.ts";
import type { Reader } from "../../src/core/delivery.ts";
import type { Provider } from "../../src/providers/provider.ts";
import { RAY, type IdReader, type TypeReader } from "../../src/providers/readers.ts";
import { registry } from "../../src/providers/registry.ts";
import type { MakeSample, Sample, SampleOptions } from "../../src/providers/sample.ts";
import { put, setAt, viewOf } from "../../src/schemes/put.ts";
import { messageOf, type Signed } from "../../src/schemes/scheme.ts";
import { flatten, readerOf } from "../../src/schemes/template.ts";

export function sampleOf(provider: Provider): MakeSample {
  return registry[provider.name]?.sample ?? ((type, options) => madeSample(provider, type ?? "sample.created", options));
}

/** The events in a payload, as the handler gets them, each by itself. `path` is a Split's; null: the payload is the event. */
export function mapEvents(payload: unknown, path: readonly string[] | null, change: (events: readonly unknown[]) => readonly unknown[]): unknown {
  if (path === null) return change([payload])[0];
  const [step, ...rest] = path;
  if (step === undefined) return Array.isArray(payload) ? change(payload) : change([payload])[0];
  if (step === EACH) return Array.isArray(payload) ? payload.map((one: unknown) => mapEvents(one, rest, change)) : payload;
  const field = isRecord(payload) ? payload[step] : undefined;
  return field === undefined ? payload : setAt(payload, [step], mapEvents(field, rest, change));
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null && !Array.isArray(value);

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

function madeSample(provider: Provider, type: string, { id, user, amount, reference }: SampleOptions): Sample {
  const readers = readersOf(provider);
  const isForm = readers.some((reader) => "form" in baseOf(reader));
  const fact = { userId: user, amount, ...(reference === undefined ? {} : { reference }) };
  let request = emptyRequest(isForm);
  if (provider.split === null) {
    if (!isForm) request = withBody(request, { id, ...fact });
    request = filled(request, provider.id, provider.type, id, type);
  } else {
    const item = filled(withBody(emptyRequest(false), { id, ...fact }), provider.split.id, provider.split.type, id, type);
    request = withBody(
      request,
      provider.split.items.reduceRight<unknown>((inner, step) => (step === EACH ? [inner] : { [step]: inner }), [bodyOf(item)]),
    );
    request = filled({ ...request, headers: { ...item.headers, ...request.headers } }, provider.id, [], id, type);
  }
  for (const { at, is } of provider.only) request = written(request, at, is ?? "yes");
  // What the signature covers has to be there; its id and its time come with the signature.
  const message = messageOf(provider.scheme);
  for (const part of message?.items === undefined ? flatten(message?.message ?? []) : []) {
    const reader = readerOf(part);
    if (reader !== null && !(typeof part === "object" && ("id" in part || "optional" in part)) && viewOf(request).read(reader) === null)
      request = written(request, reader, "sample");
  }
  const { url, headers, body } = request;
  const query = url.slice(URL_BASE.length);
  const text = new TextDecoder().decode(body);
  return {
    type,
    headers,
    ...(isForm ? { body: null, form: Object.fromEntries(new URLSearchParams(text)) } : { body: JSON.parse(text) as unknown }),
    ...(query === "" ? {} : { query }),
  };
}

function filled(request: Signed, ids: readonly IdReader[], types: readonly TypeReader[], id: string, type: string): Signed {
  let after = request;
  // The first name that is whole: the others are other places for the same id.
  for (const reader of ids) {
    if ("digest" in reader) continue;
    if ("each" in reader) after = written(after, RAY, id);
    else for (const part of "compound" in reader ? reader.compound : [reader]) after = written(after, part, id);
  }
  for (const reader of types) {
    if ("firstField" in reader) after = withBody(after, setAt(bodyOf(after), [...reader.firstField, type], {}));
    else if ("head" in reader) {
      const [head = type, ...tail] = type.split(".");
      after = written(after, reader.head, head);
      if (tail.length > 0) after = written(after, reader.tail, tail.join("."));
    } else after = written(after, reader, type);
  }
  return after;
}

const written = (request: Signed, reader: Reader, text: string): Signed => ("literal" in reader ? request : put(request, reader, text));

function readersOf({ id, type, scheme }: Provider): readonly Reader[] {
  const ids = id.flatMap((reader) => ("digest" in reader || "each" in reader ? [] : "compound" in reader ? reader.compound : [reader]));
  const types = type.flatMap((reader) => ("firstField" in reader ? [] : "head" in reader ? [reader.head, reader.tail] : [reader]));
  const message = messageOf(scheme);
  const signed = flatten(message?.message ?? []).flatMap((part) => readerOf(part) ?? []);
  return [...ids, ...types, ...signed, ...(message?.signature.at ?? [])];
}

/** Where the text stands that holds the JSON, or the value itself. */
function baseOf(reader: Reader): Reader {
  return "json" in reader && reader.within !== undefined ? baseOf(reader.within) : reader;
}

const URL_BASE = "https://sample.invalid/";

function emptyRequest(isForm: boolean): Signed {
  const body = new TextEncoder().encode(isForm ? "" : "{}");
  return { method: "POST", url: URL_BASE, headers: { "content-type": isForm ? FORM_TYPE : JSON_TYPE }, body };
}

const withBody = (request: Signed, value: unknown): Signed => ({ ...request, body: new TextEncoder().encode(JSON.stringify(value)) });
const bodyOf = (request: Signed): unknown => JSON.parse(new TextDecoder().decode(request.body));
