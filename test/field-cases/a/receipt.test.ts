/** Field cases: what the sender is answered when something on the way is slow, broken or not ours. */
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { claimOf, credit, credits, Field, isClaimed, ONCE, signedHeaders, STRIPE_SECRET, underId, vector } from "./field.ts";
import { message } from "../../support/ledger.ts";
import { on } from "../../support/own-app.ts";
import { fetchWorker } from "../../support/requests.ts";

let field: Field;
beforeAll(async () => {
  field = await Field.open("receipt");
});

type Claims = Env["CLAIMS"];
/** The platform's fault: the object's calls fail or hang, for so many stubs. */
const faulty = (deliver: () => Promise<never>, stubs = Number.POSITIVE_INFINITY) => {
  const asked = { stubs: 0 };
  const claims = {
    getByName: (name: string) => (asked.stubs++ < stubs ? { deliver } : env.CLAIMS.getByName(name)),
  } as unknown as Claims;
  return { claims, asked };
};
const refusingQueue = { send: () => Promise.reject(new Error("Queue send failed: Too Many Requests")) } as unknown as Env["EVENTS"];
const never = () => new Promise<never>(() => {});

describe("B05 slow work on the request path makes the provider time out and resend", () => {
  test("a Postgres that takes connections and answers nothing is not waited for", async () => {
    const silent = {
      connectionString: env.HYPERDRIVE.connectionString,
      connect: () => ({ opened: never(), closed: never(), readable: new ReadableStream(), writable: new WritableStream(), close: never }),
    };
    const startMs = performance.now();
    expect((await field.send("B05 r1", { bindings: { HYPERDRIVE: silent } })).outcome).toBe("queued");
    expect(performance.now() - startMs).toBeLessThan(1_000);
  });

  test("a handler that hangs is not waited for, and the resend has no second effect", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const slow = on("stripe", "*", async (context) => {
      await released;
      await credits(context);
    });
    const busy = field.consume(await field.messages("evt_B_slow"), [slow]);
    const startMs = performance.now();
    expect((await field.send("B05 r1")).outcome).toBe("pending");
    expect(performance.now() - startMs).toBeLessThan(1_000);
    release();
    await busy;
    await field.consume(await field.messages("evt_B_slow"));
    expect(await field.counts("evt_B_slow")).toEqual(ONCE);
  });

  test("a claim that hangs is given up by our own time limit, and the event is acknowledged within Slack's 3 s", async () => {
    const { claims, asked } = faulty(never);
    const startMs = performance.now();
    const answer = await field.send("B05 r1", { bindings: { CLAIMS: claims } });
    const tookMs = performance.now() - startMs;
    expect([answer.status, asked.stubs]).toEqual([202, 2]);
    // Both tries share 2.5 s (decision 020), then the direct path.
    expect(tookMs).toBeGreaterThan(2_400);
    expect(tookMs).toBeLessThan(3_000);
    await field.consume(await field.messages("evt_B_slow", 2));
    expect(await field.counts("evt_B_slow")).toEqual(ONCE);
  });

  test("the provider's own words on its retries are in the log", async () => {
    const said = vi.spyOn(console, "log");
    await field.send("B05 r1", { headers: { "x-slack-retry-num": "1", "x-slack-retry-reason": "http_timeout" } });
    const line = said.mock.calls.map(([text]) => JSON.parse(String(text)) as Record<string, unknown>).find((one) => one["event"] === "delivery");
    said.mockRestore();
    expect(line).toMatchObject({ retry: { "x-slack-retry-num": "1", "x-slack-retry-reason": "http_timeout" }, ms: { total: expect.any(Number) } });
  });
});

test("B08 the claim is stored, then the queue's send fails: acknowledged and dropped", async () => {
  // DESIGN 3.2: the claim holds the bytes, so the event is acknowledged; its alarm sends until the queue takes it.
  const refused = await refuseOnce("evt_B_enq");
  const warned = vi.spyOn(console, "warn");
  expect((await field.send("B08 r1")).outcome).toBe("queued");
  await expect.poll(() => refused.count).toBe(1);
  await expect.poll(() => warned.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('"outcome":"refused"')).length).toBe(1);
  warned.mockRestore();
  expect((await field.send("B08 r1")).outcome).toBe("pending");
  // Either the alarm fired by itself meanwhile, or it does now: it is armed.
  await runDurableObjectAlarm(claimOf("stripe", "evt_B_enq"));
  await field.consume(await field.messages("evt_B_enq"));
  expect(await field.counts("evt_B_enq")).toEqual(ONCE);
  expect((await field.send("B08 r1")).outcome).toBe("done");
});

/** The object's first send is refused, as the platform words it. */
async function refuseOnce(id: string): Promise<{ count: number }> {
  const refused = { count: 0 };
  await runInDurableObject(claimOf("stripe", id), (instance) => {
    const own = Reflect.get(instance, "env") as Env;
    const send = (body: unknown, options?: QueueSendOptions) =>
      refused.count++ === 0 ? Promise.reject(new Error("Queue sendBatch failed: Too Many Requests")) : own.EVENTS.send(body, options);
    Reflect.set(instance, "env", { ...own, EVENTS: { send } });
  });
  return refused;
}

test("B14 a type that nobody handles is answered 404, and the provider disables the endpoint", async () => {
  const ping = "b0000000-0000-4000-8000-000000000020";
  expect((await field.send("B14 r1")).status).toBe(202);
  expect((await field.send("B14 r2")).status).toBe(202);
  const known = [on("stripe", "payment.succeeded", credits), on("github", "push", credits)];
  const messages = [...(await field.messages("evt_B_unk")), ...(await field.messages(ping))];
  const { acked, retried } = await field.consume(messages, known);
  expect([acked.length, retried]).toEqual([2, {}]);
  expect(await field.books.row("evt_B_unk", "stripe")).toMatchObject({ status: "skipped", reason: "no_handler", type: "brand.new_type_2031" });
  expect(await field.books.row(ping, "github")).toMatchObject({ status: "skipped", reason: "no_handler", type: "ping" });
});

test("B14 a known type with a broken schema is no unknown one: a dead letter with its reason", async () => {
  const one = await message({ source: "stripe", type: "payment.succeeded", body: { amount: "ten" } });
  await field.consume([one], [on("stripe", "payment.succeeded", z.object({ amount: z.int() }), async () => undefined)]);
  expect(await field.books.row(one.facts.id, "stripe")).toMatchObject({
    status: "failed",
    reason: "permanent",
    lastError: expect.stringContaining("amount"),
  });
});

describe("B17 a Durable Object is reset during the claim, as with every deploy", () => {
  test.each([
    "Durable Object reset because its code was updated.",
    "Network connection lost.",
    "Connection closed: this Durable Object instance is no longer active. Reconnect or retry the request.",
  ])("%s: a fresh stub takes it", async (text) => {
    const { claims, asked } = faulty(() => Promise.reject(new Error(text)), 1);
    const { outcome } = await field.send("B17 r1", { bindings: { CLAIMS: claims } });
    expect(["queued", "pending", "done"]).toContain(outcome);
    expect(asked.stubs).toBe(2);
    await field.consume(await field.messages("evt_B_reset"));
    expect(await field.counts("evt_B_reset")).toEqual(ONCE);
  });

  test("an overloaded one is not hammered", async () => {
    const overloaded = Object.assign(new Error("Durable Object is overloaded. Requests queued for too long."), { overloaded: true });
    const { claims, asked } = faulty(() => Promise.reject(overloaded));
    expect((await field.send("B17 r1", { bindings: { CLAIMS: claims } })).status).toBe(202);
    expect(asked.stubs).toBe(1);
    await field.consume(await field.messages("evt_B_reset", 2));
    expect(await field.counts("evt_B_reset")).toEqual(ONCE);
  });

  test("all of them, and the queue too: 503, nothing half-done, and the redelivery takes effect", async () => {
    const { claims } = faulty(() => Promise.reject(new Error("Network connection lost.")));
    const other = await underId("B17 r1", "evt_B_reset", "evt_B_reset_all");
    const answer = await field.send("B17 r1", { ...other, bindings: { CLAIMS: claims, EVENTS: refusingQueue } });
    expect([answer.status, answer.outcome, answer.body]).toEqual([503, "rejected", { error: "Temporarily unavailable" }]);
    expect([await isClaimed("stripe", "evt_B_reset_all"), await field.sent("evt_B_reset_all")]).toEqual([false, 0]);
    expect((await field.send("B17 r1", other)).outcome).toBe("queued");
    await field.consume(await field.messages("evt_B_reset_all"));
    expect(await field.counts("evt_B_reset_all")).toEqual(ONCE);
  });
});

test("B24 a trailing slash, a query or a case are redirected", async () => {
  const statuses: Record<string, number> = {};
  for (const name of ["r1", "r2", "r3", "r4"]) statuses[vector(`B24 ${name}`).path] = (await field.send(`B24 ${name}`)).status;
  expect(statuses).toEqual({ "/webhooks/stripe/": 202, "/webhooks/stripe?x=1": 202, "/webhooks/Stripe": 404, "/webhooks/nope": 404 });
  await field.consume(await field.messages("evt_B_slash"));
  expect(await field.counts("evt_B_slash")).toEqual(ONCE);
  expect([await isClaimed("Stripe", "evt_B_slash"), await isClaimed("nope", "evt_B_slash")]).toEqual([false, false]);
});

test.each(["Stripe/1.0 (+https://stripe.com/docs/webhooks)", "GitHub-Hookshot/0000000", "Go-http-client/1.1", "python-requests/2.31", ""])(
  "B25 edge security blocks the provider before the Worker runs: the probe of the runbook hears us, as %j",
  async (userAgent) => {
    const headers = userAgent === "" ? {} : { "user-agent": userAgent };
    const answer = await fetchWorker(new Request("https://hooks.example.test/webhooks/stripe", { method: "POST", body: "{}", headers }));
    expect([answer.status, answer.outcome, answer.body]).toEqual([401, "rejected", { error: "Invalid HMAC signature" }]);
  },
);

describe("B38 a hard failure is swallowed and answered 200", () => {
  const bindings = { STRIPE_WEBHOOK_SECRET: STRIPE_SECRET };
  const thrown = () => Promise.reject(new Error("injected"));
  test.each<[string, () => Promise<{ status: number }>]>([
    ["reading the body", () => field.send("B38 r1", { bindings, body: new ReadableStream({ pull: thrown }) })],
    // A key that this isolate has used before is not derived again: one of its own.
    ["deriving the key", async () => during("importKey", await underFreshSecret())],
    ["verifying", () => during("verify", () => during("sign", () => field.send("B38 r1", { bindings })))],
    ["the digest", () => during("digest", () => field.send("B38 r1", { bindings }))],
    ["claim and queue", () => field.send("B38 r1", { bindings: { CLAIMS: faulty(thrown).claims, EVENTS: refusingQueue } })],
  ])("%s throws: not 2xx, an error that is logged, and nothing is left of it", async (_step, send) => {
    const lines: string[] = [];
    const spies = (["log", "warn", "error"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line)),
    );
    const { status } = await send().finally(() => spies.forEach((spy) => spy.mockRestore()));
    expect([400, 503]).toContain(status);
    expect(lines.join("\n")).toMatch(/injected|body_aborted|Too Many Requests/);
    expect([await isClaimed("stripe", "evt_B_swal"), await field.sent("evt_B_swal")]).toEqual([false, 0]);
  });

  async function underFreshSecret() {
    const secret = "whsec_b1test_never_seen_before";
    const headers = await signedHeaders("stripe", vector("B38 r1").body, secret);
    return () => field.send("B38 r1", { headers, bindings: { STRIPE_WEBHOOK_SECRET: secret } });
  }

  /** Web Crypto fails in this one function. */
  async function during<T>(name: "importKey" | "verify" | "sign" | "digest", work: () => Promise<T>): Promise<T> {
    const broken = vi.spyOn(crypto.subtle, name).mockImplementation(() => Promise.reject(new Error("injected")));
    return work().finally(() => broken.mockRestore());
  }
});

test("B38 the same request goes through once nothing is broken", async () => {
  expect((await field.send("B38 r1")).outcome).toBe("queued");
  await field.consume(await field.messages("evt_B_swal"), credit);
  expect(await field.counts("evt_B_swal")).toEqual(ONCE);
});
