/** Ids, types and times: as the provider wrote them, bounded and clean, never made up. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { identify } from "../../../src/ingest/identify.ts";
import { generic } from "../../../src/providers/generic.ts";
import { github } from "../../../src/providers/github.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import { json, literal } from "../../../src/providers/readers.ts";
import { registry } from "../../../src/providers/registry.ts";
import { standard } from "../../../src/providers/standard.ts";
import { stripe } from "../../../src/providers/stripe.ts";
import { bytes } from "../schemes/requests.ts";

const of = (provider: Provider, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  identify(provider, new Headers(headers), typeof body === "string" ? bytes(body) : body);

const idOf = (body: string | Uint8Array, headers: Record<string, string> = {}): string => {
  const result = of(generic(), body, headers);
  return result.ok ? result.value.id : result.failure;
};

describe("event id", () => {
  it.each([
    ['{"id":"evt_1"}', "evt_1"],
    ['{"id":"a:b"}', "a:b"],
    ['{"id":" spaced "}', " spaced "],
    ['{"id":"0"}', "0"],
    ['{"id":0}', "0"],
    ['{"id":1}', "1"],
    ['{"id":"1"}', "1"],
    ['{"id":1.0}', "1.0"],
    ['{"id":-5}', "-5"],
    ['{"id":1e400}', "1e400"],
    ['{"id":9007199254740992}', "9007199254740992"],
    ['{"id":9007199254740993}', "9007199254740993"],
    ['{"id":12345678901234567890}', "12345678901234567890"],
    ['{"data":{"id":7},"id":18446744073709551615,"x":[{"id":8}]}', "18446744073709551615"],
    ['{"id":1,"id":2}', "2"],
    ['\ufeff{"id":"bom"}', "bom"],
    ['{"id":"\\ud83d\\ude00"}', "😀"],
    [`{"id":"${"é".repeat(256)}"}`, "é".repeat(256)],
  ])("%s is %s", (body, id) => expect(idOf(body)).toBe(id));

  it.each([
    "{}",
    '{"id":null}',
    '{"id":""}',
    '{"id":"  \\t"}',
    '{"id":{"a":1}}',
    '{"id":["x"]}',
    '{"id":true}',
    '{"id":"a\\u0000b"}',
    '{"id":"cut \\ud83d"}',
    `{"id":"${"k".repeat(513)}"}`,
    `{"id":"${"é".repeat(256)}k"}`,
    `{"id":1${"0".repeat(512)}}`,
    "[]",
    "null",
    '"x"',
    "1",
    '{"__proto__":{"id":"x"}}',
  ])("%s has no usable id", (body) => expect(idOf(body)).toBe("missing_event_id"));

  it("does not find fields that nobody sent", () => {
    const provider: Provider = { ...generic(), id: [json("constructor.name"), json("__proto__.id"), json("toString")] };
    expect(of(provider, '{"x":1}')).toEqual({ ok: false, failure: "missing_event_id" });
    // A polluted prototype must not give every event one id.
    const prototype: object = Object.getPrototypeOf({});
    Object.defineProperty(prototype, "id", { value: "polluted", configurable: true });
    try {
      expect(idOf('{"x":1}')).toBe("missing_event_id");
    } finally {
      Reflect.deleteProperty(prototype, "id");
    }
  });

  it.each(["", "{", "id=1", "{'id':1}", '{"id":"x"}}', Uint8Array.of(0x7b, 0xff, 0x7d), bytes('{"id":"x","s":"')])("%j does not parse", (body) =>
    expect(idOf(body)).toBe("malformed_payload"),
  );

  it("invalid UTF-8 anywhere makes a body malformed, and is not replaced", () => {
    expect(idOf(Uint8Array.of(...bytes('{"id":"x","s":"'), 0xff, ...bytes('"}')))).toBe("malformed_payload");
  });

  it("a header is enough where the body does not parse", () => {
    expect(of(generic(), "not json", { "x-webhook-id": "h-1" })).toMatchObject({ value: { id: "h-1", type: "unknown", idDisagrees: false } });
    expect(of(github(), "payload=%7B%7D", { "x-github-delivery": "d-1", "x-github-event": "push" })).toMatchObject({
      value: { id: "d-1", type: "push" },
    });
  });

  it("a body is no reason where the id could only be in a header", () => {
    expect(of(github(), "not json")).toEqual({ ok: false, failure: "missing_event_id" });
    expect(of(github(), "not json", { "x-github-delivery": "   " })).toEqual({ ok: false, failure: "missing_event_id" });
  });

  it("the header wins where both exist, and says when they differ", () => {
    expect(of(generic(), '{"id":"b"}', { "x-webhook-id": "h" })).toMatchObject({ value: { id: "h", idDisagrees: true, idSigned: false } });
    expect(of(generic(), '{"id":1}', { "x-webhook-id": "1" })).toMatchObject({ value: { id: "1", idDisagrees: false } });
    expect(of(generic(), '{"id":null}', { "x-webhook-id": "h" })).toMatchObject({ value: { id: "h", idDisagrees: false } });
  });

  it("an unusable header falls through to the body", () => {
    expect(of(generic(), '{"id":"b"}', { "x-webhook-id": " " })).toMatchObject({ value: { id: "b", idDisagrees: false, idSigned: true } });
    expect(of(generic(), '{"id":"b"}', { "x-webhook-id": "k".repeat(513) })).toMatchObject({ value: { id: "b" } });
  });

  it("distinct numbers stay distinct, and a number is its text", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), fc.bigInt({ min: 1n, max: 3n }), (number, step) => {
        expect(idOf(`{"n":[${number}],"id":${number}}`)).toBe(String(number));
        expect(idOf(`{"id":${number}}`)).not.toBe(idOf(`{"id":${number + step}}`));
        expect(idOf(`{"id":"${number}"}`)).toBe(idOf(`{"id":${number}}`));
      }),
    );
  });

  it("a body nested too deep for a second parse is refused, not thrown", () => {
    const deep = `{"id":12,"x":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    expect(["12", "missing_event_id", "malformed_payload"]).toContain(idOf(deep));
  });
});

it("never throws and never gives anything unbounded or unclean, whatever the bytes", () => {
  const someJson = fc.json({ maxDepth: 3 }).map(bytes);
  const named = fc
    .record({ id: fc.anything(), type: fc.anything(), created: fc.anything(), timestamp: fc.anything() }, { requiredKeys: [] })
    .map((value) => {
      try {
        return bytes(JSON.stringify(value) ?? "");
      } catch {
        return bytes("");
      }
    });
  const text = fc.string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .filter((code) => code !== 0x7f)
      .map((code) => String.fromCharCode(code)),
  });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), someJson, named), text, fc.constantFrom(...Object.values(registry)), (body, value, make) => {
      const names = ["x-webhook-id", "x-webhook-type", "x-github-delivery", "x-github-event", "webhook-id"];
      for (const headers of [{}, Object.fromEntries(names.map((name) => [name, value]))]) {
        const result = identify(make(), new Headers(headers), body);
        if (!result.ok) continue;
        for (const [part, limit] of [
          [result.value.id, 512],
          [result.value.type, 256],
        ] as const) {
          expect(part.trim()).not.toBe("");
          expect(part.isWellFormed() && !part.includes("\0") && bytes(part).length <= limit).toBe(true);
        }
        const { occurredAtMs } = result.value;
        if (occurredAtMs !== null) expect(Number.isInteger(occurredAtMs) && !Number.isNaN(new Date(occurredAtMs).getTime())).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

describe("type", () => {
  const typeOf = (provider: Provider, body: string, headers: Record<string, string> = {}) => {
    const result = of(provider, body, headers);
    return result.ok ? result.value.type : result.failure;
  };
  it.each([
    [{ "x-webhook-type": "h.t" }, '{"id":1,"type":"b.t"}', "h.t"],
    [{}, '{"id":1,"type":"b.t"}', "b.t"],
    [{}, '{"id":1,"type":3}', "3"],
    [{}, '{"id":1}', "unknown"],
    [{}, '{"id":1,"type":null}', "unknown"],
    [{}, '{"id":1,"type":""}', "unknown"],
    [{}, '{"id":1,"type":{"a":1}}', "unknown"],
    [{}, '{"id":1,"type":"a\\u0000b"}', "unknown"],
    [{}, '{"id":1,"type":"\\ud83d"}', "unknown"],
    [{}, `{"id":1,"type":"${"t".repeat(256)}"}`, "t".repeat(256)],
    [{}, `{"id":1,"type":"${"t".repeat(257)}"}`, "unknown"],
    [{ "x-webhook-type": " " }, '{"id":1,"type":"b.t"}', "b.t"],
  ])("generic %j %s is %s", (headers, body, type) => expect(typeOf(generic(), body, headers)).toBe(type));

  it.each([
    [{ "x-github-event": "pull_request" }, '{"action":"opened"}', "pull_request.opened"],
    [{ "x-github-event": "push" }, '{"ref":"refs/heads/main"}', "push"],
    [{ "x-github-event": "push" }, '{"action":{"a":1}}', "push"],
    [{ "x-github-event": "issues" }, "payload=%7B%7D", "issues"],
    [{}, '{"action":"opened"}', "unknown"],
  ])("github %j %s is %s", (headers, body, type) => expect(typeOf(github(), body, { "x-github-delivery": "d", ...headers })).toBe(type));

  it("may be a constant", () => expect(typeOf({ ...generic(), type: [literal("ping")] }, '{"id":1}')).toBe("ping"));
});

describe("occurredAt", () => {
  const at = (provider: Provider, body: string, headers: Record<string, string> = {}) => {
    const result = of(provider, body, headers);
    return result.ok ? result.value.occurredAtMs : result.failure;
  };
  it.each([
    ["1614265330", 1_614_265_330_000],
    ["0", 0],
    ['"1614265330"', 1_614_265_330_000],
    ["1614265330.5", 1_614_265_330_500],
    ["-1", null],
    ["1e9", null],
    ["999999999999999", null],
    ["null", null],
    ['"yesterday"', null],
  ])("stripe, created %s is %s", (created, expected) => expect(at(stripe(), `{"id":"e","created":${created}}`)).toBe(expected));

  it.each([
    ['"2026-01-01T00:00:00Z"', 1_767_225_600_000],
    ['"2026-01-01T01:00:00.123456789+01:00"', 1_767_225_600_123],
    ['"2026-01-01T00:00:00"', null],
    ['"2026-13-01T00:00:00Z"', null],
    ['"2026"', null],
    ["1767225600", null],
    ['"1969-12-31T23:59:59Z"', null],
  ])("standard, timestamp %s is %s", (timestamp, expected) => {
    expect(at(standard(), `{"timestamp":${timestamp}}`, { "webhook-id": "m" })).toBe(expected);
  });
});
