/** What `npm run send` puts on the wire, as a receiver sees it that verifies by our own code. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { send, type SendRequest } from "../../../cli/send/send.ts";
import { newVars } from "../../../cli/source-keys.ts";
import { readConfig } from "../../../src/config.ts";
import { Delivery } from "../../../src/core/delivery.ts";
import { adyen } from "../../../src/providers/adyen.ts";
import { linear } from "../../../src/providers/linear.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import { square } from "../../../src/providers/square.ts";
import { stripe } from "../../../src/providers/stripe.ts";
import { verify } from "../../../src/schemes/scheme.ts";

interface Seen {
  readonly target: string;
  readonly headers: Headers;
  readonly body: Buffer;
}

let server: Server;
let url = "";
let seen: Seen[] = [];
let answer: (one: Seen) => Promise<number> = async () => 202;

beforeEach(async () => {
  [seen, answer] = [[], async () => 202];
  server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const one = { target: request.url ?? "", headers, body: Buffer.concat(pieces) };
      seen.push(one);
      void answer(one).then((status) => response.writeHead(status, { "holdfast-status": status < 300 ? "queued" : "rejected" }).end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

async function sent(provider: Provider, more: Partial<SendRequest> = {}, base: string | null = null, answers: typeof answer | null = null) {
  const made = { ...(await newVars("own", provider, {})), OWN_WEBHOOK_SECRET_NEXT: "the-next" };
  // As the Worker would: over its own base, whatever address the request came to.
  const verifies = async ({ target, headers, body }: Seen): Promise<number> => {
    const delivery = new Delivery({ method: "POST", url: `${base ?? url}${target}`, headers, body: Uint8Array.from(body) });
    const circumstances = { nowMs: Date.now(), toleranceMs: 300_000, fetchKey: () => Promise.reject(new Error("none is fetched")) };
    const result = await verify(provider.scheme, delivery, readConfig(made).secretsOf("own"), circumstances);
    matched.push(result.ok ? result.value.matched : result.failure.reason);
    return result.ok ? 202 : 401;
  };
  const matched: string[] = [];
  answer = answers ?? verifies;
  const request: SendRequest = {
    instance: { url, databaseUrl: null, adminToken: null, publicBaseUrl: base, vars: made },
    source: "own",
    type: undefined,
    file: null,
    id: undefined,
    user: "u",
    amount: 5,
    reference: undefined,
    rotate: false,
    concurrency: 4,
    waitSeconds: 0,
    count: 1,
    duplicates: 0,
    invalid: 0,
    variant: null,
    ...more,
  };
  return { report: await send(request, { own: provider }), matched };
}

describe("copies of an event", () => {
  it("are the same to the last byte and header, also where the time stands in the body", async () => {
    const { report } = await sent(linear(), { count: 3, duplicates: 4 });
    expect(report).toMatchObject({ ok: true, deliveries: 15, acknowledged: 3 });
    const texts = new Set(seen.map(({ body }) => body.toString()));
    expect(texts.size).toBe(3);
    expect(new Set(seen.map(({ headers, body }) => `${headers.get("linear-signature") ?? ""} ${body.toString()}`)).size).toBe(3);
  });
});

describe("a delivery that must be refused", () => {
  it.each(["tamper", "stale", "future", "wrong_secret"] as const)("is, with %s: that is success", async (variant) => {
    const { report } = await sent(stripe(), { variant, count: 2 });
    expect(report).toMatchObject({ ok: true, unexpected: 0, acknowledged: 0, answers: { rejected: 2 } });
  });

  it("and is accepted: that is a failure, and says what was wrong with it", async () => {
    const { report } = await sent(stripe(), { variant: "tamper" }, null, async () => 202);
    expect(report).toMatchObject({ ok: false, unexpected: 1, examples: ["a delivery with a changed byte: 202 "] });
  });

  it("stands beside genuine ones with --invalid", async () => {
    const { report, matched } = await sent(stripe(), { count: 2, invalid: 3 });
    expect(report).toMatchObject({ ok: true, deliveries: 5, acknowledged: 2 });
    expect(matched.toSorted()).toEqual(["current", "current", ...Array.from({ length: 3 }, () => "signature_mismatch")]);
  });

  it("cannot be made where the provider signs no time: said before anything is sent", async () => {
    await expect(sent(adyen(), { variant: "stale" })).rejects.toThrow("Adyen signs no time");
    expect(seen).toEqual([]);
  });
});

it("--rotate signs with the second secret", async () => {
  expect((await sent(stripe(), { rotate: true })).matched).toEqual(["next"]);
  expect((await sent(stripe())).matched).toEqual(["current"]);
});

it("a signed URL is the one that the provider was given, and the request goes to the instance", async () => {
  const { report, matched } = await sent(square(), {}, "https://hooks.example/prefix");
  expect([report.ok, matched, seen[0]?.target]).toEqual([true, ["current"], "/webhooks/own"]);
});

it("a file with its own id is one event", async () => {
  const file = new TextEncoder().encode('{"id":"evt_file","type":"a"}');
  await expect(sent(stripe(), { file, count: 2 })).rejects.toThrow("--file holds one Stripe event with its id");
  expect((await sent(stripe(), { file, duplicates: 1 })).report).toMatchObject({ ok: true, acknowledged: 1, deliveries: 2 });
  expect(seen.at(-1)?.body).toEqual(Buffer.from(file));
});

it("counts the events of a delivery that carries several", async () => {
  const item = (pspReference: string) => ({ NotificationRequestItem: { pspReference, eventCode: "CAPTURE", success: "true" } });
  const file = new TextEncoder().encode(JSON.stringify({ live: "false", notificationItems: [item("a"), item("b"), item("a")] }));
  expect((await sent(adyen(), { file })).report).toMatchObject({ ok: true, deliveries: 1, acknowledged: 2 });
});
