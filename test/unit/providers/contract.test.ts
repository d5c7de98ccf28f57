/** The contract of every preset, mostly forgeries: pure data, right about its own sample, and nothing but the right signature is ever authentic. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sliceItems } from "../../../src/core/json-slices.ts";
import { identify, identifyItem } from "../../../src/providers/identify.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import { registry } from "../../../src/providers/registry.ts";
import { covers, coversBody, coversTimestamp } from "../../../src/schemes/coverage.ts";
import { put } from "../../../src/schemes/put.ts";
import { messageOf, type Signed } from "../../../src/schemes/scheme.ts";
import { readSignatures, writeSignature } from "../../../src/schemes/signature.ts";
import type { SignedMessage } from "../../../src/schemes/signed-message.ts";
import { flatten } from "../../../src/schemes/template.ts";
import { circumstances, deliveryOf, keysOf, misnamed, NOW_MS, only, OPTIONS, outcomeOf, presetFiles, signedSample } from "./presets.ts";

const ACCEPTED = ["current", "next"];

it("every file exports its preset and its sample, and the registry holds them", () => {
  expect(misnamed).toEqual([]);
  expect(Object.keys(registry).toSorted()).toEqual(presetFiles.map(({ name }) => name).toSorted());
});

const flip = (bytes: Uint8Array, bit: number): Uint8Array<ArrayBuffer> => {
  const copy = new Uint8Array(bytes);
  const at = Math.floor(bit / 8) % copy.length;
  copy[at] = (copy[at] ?? 0) ^ (1 << (bit % 8));
  return copy;
};

/** The body is signed as it is, not only values out of it. */
const signsBytes = (rules: SignedMessage | null): boolean => rules !== null && flatten(rules.message).includes("body");

/** The id is the event's own: neither the body's digest, nor made of the signature, nor a new one for each attempt. */
function namesEvents(provider: Provider): boolean {
  const [at] = messageOf(provider.scheme)?.signature.at ?? [];
  const isOfSignature = at !== undefined && JSON.stringify(provider.id).includes(JSON.stringify(at));
  const isDigest = provider.id.some((reader) => "digest" in reader);
  return provider.facts.sameIdOnRetry !== false && provider.split === null && !isDigest && !isOfSignature;
}

/** The signature's bytes, and a request with others in their place. */
function signatureOf(rules: SignedMessage, request: Signed) {
  const [at] = rules.signature.at;
  if (at === undefined) throw new Error("no place");
  const text = deliveryOf(request).read(at) ?? "";
  const [group] = readSignatures(rules.signature, [text], null, 16);
  const [bytes] = group?.signatures ?? [];
  if (bytes === undefined) throw new Error(`no signature in ${text}`);
  const [timestamp = ""] = group?.timestamps ?? [];
  return { at, text, bytes, timestamp, write: (other: Uint8Array) => put(request, at, writeSignature(rules.signature, other, timestamp)) };
}

describe.each(presetFiles.map((file) => [file.name, file] as const))("%s", (name, file) => {
  const provider = file.make();
  const rules = messageOf(provider.scheme);

  describe("is a page of data", () => {
    it("survives JSON", () => {
      expect(JSON.parse(JSON.stringify(provider))).toEqual(provider);
    });

    it("is named as its file, with its page on the first line, and stays a page", () => {
      expect(provider.name).toBe(name);
      expect(provider.docs).toMatch(name === "generic" ? /^README/ : /^https:\/\//);
      expect(file.text.split("\n")[0]).toContain(provider.docs);
      expect(file.text.split("\n").length).toBeLessThanOrEqual(110);
      expect(file.text).not.toMatch(/async |await |crypto\.|fetch\(|\bif \(/);
    });

    it("names its headers in lower case, says what helps a newcomer, and when it was checked", () => {
      const names = [...JSON.stringify(provider).matchAll(/"(?:header|id|signedHeaders)":"([^"]+)"/g)].map(([, header]) => header);
      for (const header of names) expect(header).toBe(header?.toLowerCase());
      expect(provider.hint).toContain("{secret}");
      expect(provider.facts.checked).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    });

    it("has its signed time under the signature", () => {
      expect(coversTimestamp(provider.scheme)).toBe(true);
    });
  });

  describe("is right about its sample", () => {
    it("verifies and identifies it", async () => {
      const [keys] = await keysOf(file);
      const sample = file.sample(undefined, OPTIONS);
      const request = await signedSample(file, keys);
      expect(await outcomeOf(provider, request, only(keys.secret), keys.served)).toBe("current");
      const events = await eventsOf(provider, request);
      expect(events.length).toBeGreaterThan(0);
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      expect(events[0]?.type).toBe(sample.type);
      const meta = await identify(provider, deliveryOf(request));
      expect(meta).toMatchObject({ ok: true, value: { idDisagrees: false } });
    });

    it("takes a type from outside, so that `npm run send -- <source> <type>` can", async () => {
      const [keys] = await keysOf(file);
      const usual = file.sample(undefined, OPTIONS).type;
      const asked = file.sample(usual, OPTIONS);
      expect(asked.type).toBe(usual);
      expect(await eventsOf(provider, await signedSample(file, keys))).not.toEqual([]);
    });

    it("gives a redelivery the same key, and two events two", async () => {
      const [keys] = await keysOf(file);
      const first = await eventsOf(provider, await signedSample(file, keys));
      const again = await eventsOf(provider, await signedSample(file, keys, OPTIONS, NOW_MS + 60_000));
      if (namesEvents(provider)) expect(again.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
      const other = await eventsOf(provider, await signedSample(file, keys, { ...OPTIONS, id: "evt_43", reference: "order-8" }));
      expect(other[0]?.id).not.toBe(first[0]?.id);
    });

    it("is not run twice by redelivering the same request", async () => {
      const [keys] = await keysOf(file);
      const request = await signedSample(file, keys);
      const [first, second] = await Promise.all([identify(provider, deliveryOf(request)), identify(provider, deliveryOf(request))]);
      expect(first).toEqual(second);
    });

    it("has no signature in its id, where operators and logs would show it", async () => {
      const [keys] = await keysOf(file);
      const request = await signedSample(file, keys);
      const places =
        provider.scheme.kind === "basic"
          ? [{ header: "authorization" }]
          : "at" in provider.scheme
            ? [provider.scheme.at]
            : provider.scheme.signature.at;
      const texts = places.flatMap((at) => deliveryOf(request).read(at) ?? []);
      const identity = await identify(provider, deliveryOf(request));
      const ids = [...(identity.ok ? [identity.value] : []), ...(await eventsOf(provider, request))].map(({ id }) => id);
      if (rules?.items === undefined) expect(texts.length).toBeGreaterThan(0);
      for (const text of texts) for (const id of ids) expect(id).not.toContain(text);
    });
  });

  describe("refuses", () => {
    it("any other secret, no secret, an empty one", async () => {
      const [keys, other] = await keysOf(file);
      const request = await signedSample(file, keys);
      expect(ACCEPTED).not.toContain(await outcomeOf(provider, request, only(other.secret), other.served));
      expect(await outcomeOf(provider, request, { current: null, next: null }, keys.served)).toBe("secret_missing");
      expect(ACCEPTED).not.toContain(await outcomeOf(provider, request, only(""), keys.served));
    });

    it("any flipped bit of what is signed", async () => {
      const [keys] = await keysOf(file);
      const request = await signedSample(file, keys);
      if (coversBody(provider.scheme)) {
        for (let bit = 0; bit < request.body.length * 8; bit += Math.max(1, Math.floor(request.body.length / 16))) {
          const forged = { ...request, body: flip(request.body, bit) };
          expect(ACCEPTED).not.toContain(await outcomeOf(provider, forged, only(keys.secret), keys.served));
        }
      }
      if (rules === null || rules.items !== undefined) return;
      const { bytes, write } = signatureOf(rules, request);
      for (let bit = 0; bit < bytes.length * 8; bit += Math.max(1, Math.floor(bytes.length / 32))) {
        expect(await outcomeOf(provider, write(flip(bytes, bit)), only(keys.secret), keys.served)).toBe("signature_mismatch");
      }
    });

    it("a cut, a longer, and an all-zero signature", async () => {
      if (rules === null || rules.items !== undefined) return;
      const [keys] = await keysOf(file);
      const { bytes, write } = signatureOf(rules, await signedSample(file, keys));
      const others = [1, 4, Math.floor(bytes.length / 2), bytes.length - 1].map((length) => bytes.slice(0, length));
      for (const other of [...others, new Uint8Array([...bytes, 0]), new Uint8Array(bytes.length)]) {
        expect(await outcomeOf(provider, write(other), only(keys.secret), keys.served)).toMatch(/^signature_(mismatch|malformed)$/);
      }
    });

    it("each of the signature's headers missing, empty, or nonsense, with a reason of its own", async () => {
      const [keys] = await keysOf(file);
      const request = await signedSample(file, keys);
      const own = Object.keys(request.headers).filter((header) => !(header in file.sample(undefined, OPTIONS).headers));
      for (const header of own) {
        const { [header]: _, ...rest } = request.headers;
        expect(await outcomeOf(provider, { ...request, headers: rest }, only(keys.secret), keys.served)).toMatch(/_missing$/);
        expect(await outcomeOf(provider, { ...request, headers: { ...rest, [header]: "" } }, only(keys.secret), keys.served)).toMatch(/_missing$/);
        for (const nonsense of ["~", "a".repeat(10_000), "====", "t=1,v1=", "v1,", "é"]) {
          const forged = { ...request, headers: { ...rest, [header]: nonsense } };
          expect(await outcomeOf(provider, forged, only(keys.secret), keys.served)).toMatch(/_(missing|malformed|mismatch|not_allowed)$/);
        }
      }
    });

    it("a time outside the window, in both directions, and any other time than the signed one", async () => {
      const time = rules?.timestamp ?? null;
      if (time === null) return;
      const [keys] = await keysOf(file);
      const toleranceMs = provider.maxAgeSeconds === undefined ? 300_000 : provider.maxAgeSeconds * 1_000;
      const request = await signedSample(file, keys);
      const at = (nowMs: number) => outcomeOf(provider, request, only(keys.secret), keys.served, nowMs);
      expect(await at(NOW_MS + toleranceMs)).toBe("current");
      expect(await at(NOW_MS - toleranceMs)).toBe("current");
      expect(await at(NOW_MS + toleranceMs + 1_000)).toBe("timestamp_too_old");
      expect(await at(NOW_MS - toleranceMs - 1_000)).toBe("timestamp_in_future");
      if (time.at === "signature") return;
      const moved = put(request, time.at, time.unit === "iso" ? "2026-01-01T00:00:01.000Z" : String(NOW_MS / (time.unit === "s" ? 1_000 : 1) + 1));
      expect(await outcomeOf(provider, moved, only(keys.secret), keys.served)).toBe("signature_mismatch");
    });

    it("an id that was changed, where the signature covers it", async () => {
      const [keys] = await keysOf(file);
      const request = await signedSample(file, keys);
      for (const reader of provider.id) {
        if ("digest" in reader || "each" in reader || "compound" in reader || "literal" in reader || !covers(provider.scheme, reader)) continue;
        if (deliveryOf(request).read(reader) === null || "form" in reader) continue;
        expect(ACCEPTED).not.toContain(await outcomeOf(provider, put(request, reader, "evt_other"), only(keys.secret), keys.served));
      }
    });
  });

  describe("accepts", () => {
    it("the old and the new secret during a rotation, and says which", async () => {
      const [keys, other] = await keysOf(file);
      const request = await signedSample(file, keys);
      if (rules?.pinned !== undefined) return; // Which topic is meant is not a rotation.
      expect(await outcomeOf(provider, request, { current: other.secret, next: keys.secret }, keys.served)).toMatch(/^(next|current)$/);
      expect(await outcomeOf(provider, request, { current: null, next: keys.secret }, keys.served)).toBe("next");
    });

    it("the right signature first or last among wrong ones, and beside unknown versions", async () => {
      if (rules === null || rules.items !== undefined) return;
      const [keys] = await keysOf(file);
      const request = await signedSample(file, keys);
      const { at, text, bytes, timestamp } = signatureOf(rules, request);
      const wrong = writeSignature(rules.signature, new Uint8Array(bytes.length).fill(7), timestamp);
      const { form } = rules.signature;
      const separator = rules.signature.form === "pairs" ? (rules.signature.separator ?? ",") : form === "tagged" ? " " : ",";
      const bare = form === "positional" ? wrong.slice(wrong.indexOf(",") + 1) : wrong;
      const texts = form === "positional" ? [`${text},${bare}`] : [`${text}${separator}${bare}`, `${wrong}${separator}${text}`];
      for (const both of texts) expect(await outcomeOf(provider, put(request, at, both), only(keys.secret), keys.served)).toBe("current");
      if (form === "tagged") expect(await outcomeOf(provider, put(request, at, `v9,AAAA ${text}`), only(keys.secret), keys.served)).toBe("current");
    });

    it("an empty body, 1 MiB, a byte order mark, CRLF and bytes that are no UTF-8: whatever was signed", async () => {
      if (!signsBytes(rules) || rules?.bodyDigest !== undefined) return;
      const [keys] = await keysOf(file);
      const sample = file.sample(undefined, OPTIONS);
      const { sign } = await import("../../../src/schemes/scheme.ts");
      const bodies = [
        new Uint8Array(0),
        new Uint8Array(1_024 * 1_024).fill(0x20),
        bytesOf("\ufeff{}"),
        bytesOf('{"a":\r\n1}\r\n'),
        new Uint8Array([0xff, 0xfe, 0, 0x80]),
      ];
      for (const body of bodies) {
        const outgoing = {
          method: "POST",
          url: "https://hooks.example/webhooks/x",
          headers: sample.headers,
          body,
          id: OPTIONS.id,
          timestampMs: NOW_MS,
        };
        const inBody = flatten(rules?.message ?? []).some((part) => typeof part === "object" && ("json" in part || "form" in part));
        if (
          inBody ||
          (rules?.timestamp !== null &&
            rules?.timestamp.at !== "signature" &&
            typeof rules?.timestamp.at === "object" &&
            "json" in rules.timestamp.at)
        )
          continue;
        const request = await sign(provider.scheme, outgoing, keys);
        expect(await outcomeOf(provider, request, only(keys.secret), keys.served)).toBe("current");
      }
    });
  });

  it("never throws, whatever comes", async () => {
    const [keys] = await keysOf(file);
    const request = await signedSample(file, keys);
    const piece = fc.oneof(
      fc.constantFrom(
        "t=",
        "v1=",
        "v1,",
        "sha256=",
        ",",
        " ",
        "=",
        "==",
        "0",
        "ff",
        "1767225600",
        "%00",
        "{}",
        "é",
        "Bearer ",
        "Basic ",
        "a.b.c",
        ".",
        ";",
        "|",
      ),
      fc.string({
        maxLength: 40,
        unit: fc
          .integer({ min: 0x20, max: 0xff })
          .filter((code) => code !== 0x7f)
          .map((code) => String.fromCharCode(code)),
      }),
    );
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
    const headers = fc.record(
      Object.fromEntries(Object.keys(request.headers).map((header) => [header, fc.oneof(text, fc.constant(request.headers[header] ?? ""))])),
    );
    const body = fc.oneof(fc.uint8Array({ maxLength: 64 }), fc.json().map(bytesOf), fc.constant(request.body));
    await fc.assert(
      fc.asyncProperty(headers, body, fc.string({ unit: "binary" }), async (changed, bytes, anySecret) => {
        const forged = { ...request, headers: changed, body: bytes };
        const result = await outcomeOf(provider, forged, { current: keys.secret, next: anySecret }, keys.served);
        expect(typeof result).toBe("string");
        await eventsOf(provider, forged);
      }),
      { numRuns: 60 },
    );
  });
});

it("a key server that cannot be reached is said to be that, and never lets anything in", async () => {
  for (const file of presetFiles) {
    const [keys] = await keysOf(file);
    if (keys.served === null) continue;
    expect(await outcomeOf(file.make(), await signedSample(file, keys), only(keys.secret), null)).toBe("key_unavailable");
  }
  expect(circumstances(null).nowMs).toBe(NOW_MS);
});

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(new TextEncoder().encode(text));
}

/** The events of a delivery, as the ledger would hold them. */
async function eventsOf(provider: Provider, request: Signed): Promise<readonly { readonly id: string; readonly type: string }[]> {
  const delivery = deliveryOf(request);
  const { split } = provider;
  if (split === null) {
    const identity = await identify(provider, delivery);
    return identity.ok ? [identity.value] : [];
  }
  const items = sliceItems(delivery.body, split.items) ?? [];
  return Promise.all(items.map((item) => identifyItem(split, delivery.item(item))));
}
