/** What a handler gets as `data`, by what the body is and by what its sender calls it. */
import { describe, expect, it } from "vitest";
import { PermanentError } from "../../../src/core/errors.ts";
import { dataOf, deliveryOf } from "../../../src/queue/event-data.ts";

const data = async (contentType: string, body: string | Uint8Array): Promise<unknown> =>
  dataOf(await deliveryOf({ headers: {}, contentType, body: typeof body === "string" ? new TextEncoder().encode(body) : body }));
const FORM = "application/x-www-form-urlencoded";

describe("JSON", () => {
  it.each(["application/json", "application/json; charset=utf-8", "application/cloudevents+json", "text/json", ""])(
    "called %j is its value",
    async (type) => {
      expect(await data(type, '{"a":[1]}')).toEqual({ a: [1] });
      expect(await data(type, "12")).toBe(12);
      expect(await data(type, "null")).toBeNull();
      expect(await data(type, "\uFEFF[]")).toEqual([]);
    },
  );

  it.each(["application/json", "application/vnd.api+json;v=1", ""])("announced as %j and not there is permanent", async (type) => {
    for (const body of ["", "{", "a=1", new Uint8Array([0xff, 0x22])]) await expect(data(type, body)).rejects.toThrow(PermanentError);
    await expect(data(type, "secret-canary")).rejects.toThrow(/^the body is not JSON/);
  });

  it.each(["text/plain; charset=UTF-8", "application/octet-stream"])("that its sender calls %j is JSON all the same (SNS)", async (type) => {
    expect(await data(type, ' {"Type":"Notification"}')).toEqual({ Type: "Notification" });
    expect(await data(type, "[1]")).toEqual([1]);
  });
});

describe("a form", () => {
  it("is its fields, those that come again as lists", async () => {
    expect(await data(FORM, "CallSid=CA1&Body=two+words%21&MediaUrl=a&MediaUrl=b&empty=&flag")).toEqual({
      CallSid: "CA1",
      Body: "two words!",
      MediaUrl: ["a", "b"],
      empty: "",
      flag: "",
    });
    expect(await data(`${FORM}; charset=utf-8`, "bt_signature=k%7Cs&bt_payload=PG5v%0A")).toEqual({ bt_signature: "k|s", bt_payload: "PG5v\n" });
  });

  it("with JSON in a field leaves it as text, and a bare word is a field, not a value", async () => {
    expect(await data(FORM, `payload=${encodeURIComponent('{"a":1}')}`)).toEqual({ payload: '{"a":1}' });
    expect(await data(FORM, "true")).toEqual({ true: "" });
    expect(await data(FORM, "")).toEqual({});
  });

  it("that is JSON too is its fields: the signature may have covered those alone", async () => {
    for (const type of [FORM, `${FORM}; charset=utf-8`]) expect(await data(type, '{"amount":"1=2"}')).toEqual({ '{"amount":"1': '2"}' });
    const parts = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n';
    expect(await data("multipart/form-data; boundary=b", parts)).toEqual({ a: "1" });
    expect(await data("multipart/form-data; boundary=b", '{"a":"another"}')).toBeNull();
  });

  it("of a thousand names, or of one a thousand times, is read in one pass; of more it is not read at all", async () => {
    const fields = (count: number, name: (n: number) => string) => Array.from({ length: count }, (_, n) => `${name(n)}=${n}`).join("&");
    expect(
      Object.keys(
        (await data(
          FORM,
          fields(1_000, (n) => `k${n}`),
        )) as object,
      ),
    ).toHaveLength(1_000);
    expect(
      await data(
        FORM,
        fields(1_000, () => "k"),
      ),
    ).toEqual({ k: Array.from({ length: 1_000 }, (_, n) => String(n)) });
    await expect(
      data(
        FORM,
        fields(1_001, () => "k"),
      ),
    ).rejects.toThrow(PermanentError);
    await expect(data(FORM, "&".repeat(1_000_000))).rejects.toThrow(/more than 1000 fields/);
  });

  it("takes any name as a field of its own", async () => {
    const fields = await data(FORM, "__proto__=1&constructor=2");
    expect(Object.entries(fields as object)).toEqual([
      ["__proto__", "1"],
      ["constructor", "2"],
    ]);
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
  });

  it("in parts is its text fields; files are in the bytes alone", async () => {
    const form = new FormData();
    form.append("subject", "żółć");
    form.append("to", "a");
    form.append("to", "b");
    form.append("attachment-1", new File(["x"], "x.txt"));
    const request = new Request("http://localhost", { method: "POST", body: form });
    const type = request.headers.get("content-type") ?? "";
    expect(await data(type, new Uint8Array(await request.arrayBuffer()))).toEqual({ subject: "żółć", to: ["a", "b"] });
    expect(await data("multipart/form-data; boundary=b", "not that")).toBeNull();
    expect(await data("multipart/form-data", "x")).toBeNull();
  });
});

describe("anything else", () => {
  it.each(["text/plain", "text/xml; charset=utf-8", "application/xml", "application/atom+xml"])("called %j is text", async (type) => {
    expect(await data(type, "<a>ż</a>")).toBe("<a>ż</a>");
    expect(await data(type, "12")).toBe("12");
  });

  it.each(["application/octet-stream", "application/protobuf", "image/png"])("called %j is null: its bytes are the event's", async (type) => {
    expect(await data(type, new Uint8Array([0, 255, 1]))).toBeNull();
    expect(await data(type, "12")).toBeNull();
  });
});
