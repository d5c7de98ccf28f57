/** What strangers may try at the front door of single providers: forms that are none, keys that nobody has, permissions that nobody gave. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { holdfast, type Provider } from "#holdfast";
import { dropboxSign, dropboxSignSample } from "../../src/providers/dropbox-sign.ts";
import { eventGrid } from "../../src/providers/event-grid.ts";
import { notion } from "../../src/providers/notion.ts";
import { sampleBytes, type MakeSample } from "../../src/providers/sample.ts";
import { sns, snsSample } from "../../src/providers/sns.ts";
import { twilio, twilioSample } from "../../src/providers/twilio.ts";
import { xero, xeroSample } from "../../src/providers/xero.ts";
import { newKeys, sign, type NewKeys, type Signed } from "../../src/schemes/scheme.ts";

const sources: Readonly<Record<string, Provider>> = {
  twilio: twilio(),
  sign: dropboxSign(),
  xero: xero(),
  grid: eventGrid(),
  notion: notion(),
  sns: sns(),
  topics: sns(),
};
const worker = holdfast({ sources, handlers: [] });
const BASE = "http://localhost/webhooks";

async function answerOf(request: Request, bindings: Record<string, unknown>): Promise<Response> {
  const context = createExecutionContext();
  const response = await worker.fetch(request as Request<unknown, IncomingRequestCfProperties>, { ...env, ...bindings }, context);
  await waitOnExecutionContext(context);
  return response;
}

async function signed(source: string, make: MakeSample, keys: NewKeys): Promise<Signed> {
  const provider = sources[source];
  if (provider === undefined) throw new Error(source);
  const sample = make(undefined, { id: crypto.randomUUID(), user: "u1", amount: 5 });
  const outgoing = { method: "POST", url: `${BASE}/${source}`, headers: sample.headers, body: sampleBytes(sample), id: crypto.randomUUID() };
  return sign(provider.scheme, { ...outgoing, timestampMs: Date.now() }, keys);
}

const requestOf = ({ url, headers, body }: Signed): Request => new Request(url, { method: "POST", headers, body });

/** The same fields, in the other of a form's two encodings. */
async function multipartOf({ url, headers, body }: Signed): Promise<Request> {
  const form = new FormData();
  for (const [name, value] of new URLSearchParams(new TextDecoder().decode(body))) form.append(name, value);
  const { "content-type": _, ...others } = headers;
  return new Request(url, { method: "POST", headers: others, body: form });
}

const refuse = (): never => {
  throw new Error("no line to the database");
};

/** The log lines of one event that are written meanwhile. */
async function linesOf(event: string, work: () => Promise<unknown>): Promise<readonly Record<string, unknown>[]> {
  const lines: string[] = [];
  const spies = (["log", "warn", "error"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((line: unknown) => void lines.push(String(line))),
  );
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line["event"] === event);
}

describe("a multipart body", () => {
  test("is no form that Twilio signed, though it has the same fields", async () => {
    const keys = await newKeys(twilio().scheme);
    const request = await signed("twilio", twilioSample, keys);
    const bindings = { TWILIO_WEBHOOK_SECRET: keys.secret };
    expect((await answerOf(await multipartOf(request), bindings)).status).toBe(401);
    expect((await answerOf(requestOf(request), bindings)).status).toBe(200);
  });

  test("is what Dropbox Sign sends", async () => {
    const keys = await newKeys(dropboxSign().scheme);
    const request = await signed("sign", dropboxSignSample, keys);
    const answer = await answerOf(await multipartOf(request), { SIGN_WEBHOOK_SECRET: keys.secret });
    expect([answer.status, await answer.text()]).toEqual([200, "Hello API Event Received"]);
  });
});

test("Xero's trial requests hear a bare 200 and a bare 401", async () => {
  const keys = await newKeys(xero().scheme);
  const request = await signed("xero", xeroSample, keys);
  const bindings = { XERO_WEBHOOK_SECRET: keys.secret };
  for (const [one, status] of [
    [request, 200],
    [{ ...request, body: new TextEncoder().encode("{}") }, 401],
  ] as const) {
    const answer = await answerOf(requestOf(one), bindings);
    expect([answer.status, await answer.text(), answer.headers.get("set-cookie")]).toEqual([status, "", null]);
  }
});

describe("an OPTIONS of CloudEvents", () => {
  const ask = (headers: Record<string, string>, bindings = {}) =>
    answerOf(new Request(`${BASE}/grid?code=s`, { method: "OPTIONS", headers }), bindings);
  const asked = { "webhook-request-origin": "eventgrid.azure.net", "webhook-request-rate": "120" };

  test("is allowed where deliveries are, which the log says, and elsewhere not", async () => {
    const answers: Response[] = [];
    const lines = await linesOf("handshake", async () => {
      answers.push(await ask(asked, { GRID_WEBHOOK_SECRET: "s" }), await ask(asked));
    });
    expect(answers.map((answer) => [answer.status, answer.headers.get("webhook-allowed-origin")])).toEqual([
      [200, "eventgrid.azure.net"],
      [503, null],
    ]);
    expect(lines).toMatchObject([
      { level: "info", source: "grid", hint: "deliveries of eventgrid.azure.net are allowed" },
      { level: "warn", source: "grid", reason: "source_not_configured" },
    ]);
  });

  test("without an origin is a wrong method", async () => {
    const answer = await ask({ "webhook-request-origin": "a b" }, { GRID_WEBHOOK_SECRET: "s" });
    expect([answer.status, answer.headers.get("webhook-allowed-origin")]).toEqual([405, null]);
  });
});

test("a secret that could not be kept is said to be that, and nothing of a confirmation", async () => {
  const answers: number[] = [];
  const nowhere = { connectionString: env.HYPERDRIVE.connectionString, connect: refuse };
  const lines = await linesOf("handshake", async () => {
    const request = new Request(`${BASE}/notion`, { method: "POST", body: '{"verification_token":"secret_x"}' });
    answers.push((await answerOf(request, { HYPERDRIVE: nowhere })).status);
  });
  expect(answers).toEqual([503]);
  expect(lines).toMatchObject([{ level: "warn", source: "notion", status: 503, reason: "secret_not_kept" }]);
});

describe("a certificate that cannot be had", () => {
  test("is 503, so that a genuine event comes again; so it is when forgers spent the fetches of this source, and no other source pays for it", async () => {
    const keys = await newKeys(sns().scheme);
    const bindings = { SNS_WEBHOOK_SECRET: keys.secret, TOPICS_WEBHOOK_SECRET: keys.secret };
    const request = await signed("sns", snsSample, keys);
    const forged = (n: number): Signed => {
      const body = { ...(JSON.parse(new TextDecoder().decode(request.body)) as object), SigningCertURL: urlOf(`${n}`) };
      return { ...request, body: new TextEncoder().encode(JSON.stringify(body)) };
    };
    const urlOf = (name: string): string => `https://sns.us-east-1.amazonaws.com/SimpleNotificationService-${name}.pem`;
    const fetching = vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("no network"));
    try {
      const first = await answerOf(requestOf(request), bindings);
      expect([first.status, await first.text()]).toEqual([503, '{"error":"Temporarily unavailable"}']);
      fetching.mockImplementation(
        async (url) =>
          new Response(keys.served, { status: /Service-\d{1,3}\.pem$/.test(String(url instanceof Request ? url.url : url)) ? 404 : 200 }),
      );
      for (let n = 0; n < 60; n++) await answerOf(requestOf(forged(n)), bindings);
      const spent = await answerOf(requestOf(request), bindings);
      expect([spent.status, await spent.text()]).toEqual([503, '{"error":"Temporarily unavailable"}']);
      expect((await answerOf(requestOf({ ...request, url: `${BASE}/topics` }), bindings)).status).toBe(202);
    } finally {
      fetching.mockRestore();
    }
  });
});
