/** Ids, types and times: as the provider wrote them, bounded and clean, never made up. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { identify } from "../../../src/providers/identify.ts";
import { generic } from "../../../src/providers/generic.ts";
import { github } from "../../../src/providers/github.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import { compound, compoundWith, digest, json, literal } from "../../../src/providers/readers.ts";
import { standard } from "../../../src/providers/standard.ts";
import { stripe } from "../../../src/providers/stripe.ts";
import { bytes, request } from "../schemes/requests.ts";
import { presetFiles } from "../providers/presets.ts";

const of = (provider: Provider, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  identify(provider, request(headers, typeof body === "string" ? bytes(body) : body));

const idOf = async (body: string | Uint8Array, headers: Record<string, string> = {}): Promise<string> => {
  const result = await of(generic(), body, headers);
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
  ])("%s is %s", async (body, id) => expect(await idOf(body)).toBe(id));

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
  ])("%s has no usable id", async (body) => expect(await idOf(body)).toBe("missing_event_id"));

  it("does not find fields that nobody sent", async () => {
    const provider: Provider = { ...generic(), id: [json("constructor.name"), json("__proto__.id"), json("toString")] };
    expect(await of(provider, '{"x":1}')).toEqual({ ok: false, failure: "missing_event_id" });
    // A polluted prototype must not give every event one id.
    const prototype: object = Object.getPrototypeOf({});
    Object.defineProperty(prototype, "id", { value: "polluted", configurable: true });
    try {
      expect(await idOf('{"x":1}')).toBe("missing_event_id");
    } finally {
      Reflect.deleteProperty(prototype, "id");
    }
  });

  it.each(["", "{", "id=1", "{'id':1}", '{"id":"x"}}', Uint8Array.of(0x7b, 0xff, 0x7d), bytes('{"id":"x","s":"')])(
    "%j does not parse",
    async (body) => expect(await idOf(body)).toBe("malformed_payload"),
  );

  it("invalid UTF-8 anywhere makes a body malformed, and is not replaced", async () => {
    expect(await idOf(Uint8Array.of(...bytes('{"id":"x","s":"'), 0xff, ...bytes('"}')))).toBe("malformed_payload");
  });

  it("a header is enough where the body does not parse", async () => {
    expect(await of(generic(), "not json", { "x-webhook-id": "h-1" })).toMatchObject({ value: { id: "h-1", type: "unknown", idDisagrees: false } });
    expect(await of(github(), "payload=%7B%7D", { "x-github-delivery": "d-1", "x-github-event": "push" })).toMatchObject({
      value: { id: "d-1", type: "push" },
    });
  });

  it("a body is no reason where the id could only be in a header", async () => {
    expect(await of(github(), "not json")).toEqual({ ok: false, failure: "missing_event_id" });
    expect(await of(github(), "not json", { "x-github-delivery": "   " })).toEqual({ ok: false, failure: "missing_event_id" });
  });

  it("the header wins where both exist, and says when they differ", async () => {
    expect(await of(generic(), '{"id":"b"}', { "x-webhook-id": "h" })).toMatchObject({ value: { id: "h", idDisagrees: true, idSigned: false } });
    expect(await of(generic(), '{"id":1}', { "x-webhook-id": "1" })).toMatchObject({ value: { id: "1", idDisagrees: false } });
    expect(await of(generic(), '{"id":null}', { "x-webhook-id": "h" })).toMatchObject({ value: { id: "h", idDisagrees: false } });
  });

  it("an unusable header falls through to the body", async () => {
    expect(await of(generic(), '{"id":"b"}', { "x-webhook-id": " " })).toMatchObject({ value: { id: "b", idDisagrees: false, idSigned: true } });
    expect(await of(generic(), '{"id":"b"}', { "x-webhook-id": "k".repeat(513) })).toMatchObject({ value: { id: "b" } });
  });

  it("distinct numbers stay distinct, and a number is its text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), fc.bigInt({ min: 1n, max: 3n }), async (number, step) => {
        expect(await idOf(`{"n":[${number}],"id":${number}}`)).toBe(String(number));
        expect(await idOf(`{"id":${number}}`)).not.toBe(await idOf(`{"id":${number + step}}`));
        expect(await idOf(`{"id":"${number}"}`)).toBe(await idOf(`{"id":${number}}`));
      }),
    );
  });

  it("a body nested too deep for a second parse is refused, not thrown", async () => {
    const deep = `{"id":12,"x":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    expect(["12", "missing_event_id", "malformed_payload"]).toContain(await idOf(deep));
  });
});

it("never throws and never gives anything unbounded or unclean, whatever the bytes", async () => {
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
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array(), someJson, named), text, fc.constantFrom(...presetFiles), async (body, value, { make }) => {
      const names = ["x-webhook-id", "x-webhook-type", "x-github-delivery", "x-github-event", "webhook-id"];
      for (const headers of [{}, Object.fromEntries(names.map((name) => [name, value]))]) {
        const result = await identify(make(), request(headers, body));
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
  const typeOf = async (provider: Provider, body: string, headers: Record<string, string> = {}) => {
    const result = await of(provider, body, headers);
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
  ])("generic %j %s is %s", async (headers, body, type) => expect(await typeOf(generic(), body, headers)).toBe(type));

  it.each([
    [{ "x-github-event": "pull_request" }, '{"action":"opened"}', "pull_request.opened"],
    [{ "x-github-event": "push" }, '{"ref":"refs/heads/main"}', "push"],
    [{ "x-github-event": "push" }, '{"action":{"a":1}}', "push"],
    [{ "x-github-event": "issues" }, "payload=%7B%7D", "issues"],
    [{}, '{"action":"opened"}', "unknown"],
  ])("github %j %s is %s", async (headers, body, type) => expect(await typeOf(github(), body, { "x-github-delivery": "d", ...headers })).toBe(type));

  it("may be a constant", async () => expect(await typeOf({ ...generic(), type: [literal("ping")] }, '{"id":1}')).toBe("ping"));
});

describe("occurredAt", () => {
  const at = async (provider: Provider, body: string, headers: Record<string, string> = {}) => {
    const result = await of(provider, body, headers);
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
  ])("stripe, created %s is %s", async (created, expected) => expect(await at(stripe(), `{"id":"e","created":${created}}`)).toBe(expected));

  it.each([
    ['"2026-01-01T00:00:00Z"', 1_767_225_600_000],
    ['"2026-01-01T01:00:00.123456789+01:00"', 1_767_225_600_123],
    ['"2026-01-01T00:00:00"', null],
    ['"2026-13-01T00:00:00Z"', null],
    ['"2026"', null],
    ["1767225600", null],
    ['"1969-12-31T23:59:59Z"', null],
  ])("standard, timestamp %s is %s", async (timestamp, expected) => {
    expect(await at(standard(), `{"timestamp":${timestamp}}`, { "webhook-id": "m" })).toBe(expected);
  });
});

describe("an id made of several values", () => {
  const provider: Provider = { ...generic(), id: [compoundWith([json("event"), json("uid")], [json("at")])] };
  const id = async (body: string) => {
    const result = await of(provider, body);
    return result.ok ? result.value.id : result.failure;
  };

  it("is their texts, so that an operator can read it", async () => {
    expect(await id('{"event":"a.b","uid":17}')).toBe("a.b:17:");
    expect(await id('{"event":"a.b","uid":17,"at":"2026"}')).toBe("a.b:17:2026");
  });

  it("never is the same for other values: a:b and c are not a and b:c", async () => {
    const part = fc.string({ unit: fc.constantFrom(":", "%", "3", "A", "a"), minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(part, part, part, part, async (a, b, c, d) => {
        const same = a === c && b === d;
        expect((await id(JSON.stringify({ event: a, uid: b }))) === (await id(JSON.stringify({ event: c, uid: d })))).toBe(same);
      }),
    );
    expect(await id('{"event":"a:b","uid":"c"}')).not.toBe(await id('{"event":"a","uid":"b:c"}'));
  });

  it("is none where a part is missing", async () => {
    for (const body of ['{"event":"a"}', '{"event":"a","uid":null}', '{"event":"a","uid":" "}', "{}"])
      expect(await id(body), body).toBe("missing_event_id");
    expect(await id("not json")).toBe("malformed_payload");
  });

  it("is their digest where it would be too long for a key", async () => {
    expect(await id(JSON.stringify({ event: "e".repeat(600), uid: "1" }))).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await id(JSON.stringify({ event: "e".repeat(600), uid: "1" }))).not.toBe(await id(JSON.stringify({ event: "e".repeat(600), uid: "2" })));
  });
});

describe("an id that is the body's digest", () => {
  const idUnder = async (provider: Provider, body: string) => {
    const result = await of(provider, body);
    return result.ok ? result.value.id : result.failure;
  };

  it("is the same for the same bytes only", async () => {
    const provider: Provider = { ...generic(), id: [digest()] };
    expect(await idUnder(provider, '{"a":1}')).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await idUnder(provider, '{"a":1}')).toBe(await idUnder(provider, '{"a":1}'));
    expect(await idUnder(provider, '{"a":1}')).not.toBe(await idUnder(provider, '{"a":1} '));
    expect(await idUnder(provider, "not json")).toMatch(/^sha256:/);
  });

  it("leaves out what changes from one delivery to the next", async () => {
    const provider: Provider = { ...generic(), id: [digest("attempt", "meta.sentAt", "items.*.try")] };
    const body = (attempt: number, amount: number) =>
      JSON.stringify({ attempt, amount, meta: { sentAt: attempt, kept: 1 }, items: [{ try: attempt, x: 1 }], x: { attempt: 9 } });
    expect(await idUnder(provider, body(1, 5))).toBe(await idUnder(provider, body(2, 5)));
    expect(await idUnder(provider, body(1, 5))).not.toBe(await idUnder(provider, body(1, 6)));
    expect(await idUnder(provider, '{"x":{"attempt":1}}')).not.toBe(await idUnder(provider, '{"x":{"attempt":2}}'));
  });

  it("gives way to an id that the provider has", async () => {
    const provider: Provider = { ...generic(), id: [json("id"), digest()] };
    expect(await idUnder(provider, '{"id":"evt"}')).toBe("evt");
    expect(await of(provider, '{"id":"evt"}')).toMatchObject({ value: { idDisagrees: false } });
    expect(await idUnder(provider, "{}")).toMatch(/^sha256:/);
  });
});

it("the id of a delivery that is split says so, and its type too", async () => {
  const split = { items: [], id: [json("id")], type: [json("type")], occurredAt: null };
  const provider: Provider = { ...generic(), id: [compound(json("batch"))], split };
  expect(await of(provider, '{"batch":"b:1"}')).toMatchObject({ value: { id: "delivery:b%3A1", type: "delivery" } });
});
