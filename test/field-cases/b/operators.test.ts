/** Field cases that operators meet: modes, handshakes, logs, replays. */
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { ATTEMPTS_LIMIT } from "../../../src/core/limits.ts";
import { configOf } from "../../../src/config.ts";
import type { EventMessage } from "../../../src/core/message.ts";
import { sweep } from "../../../src/sweep.ts";
import { PermanentError } from "#holdfast";
import { message } from "../../support/ledger.ts";
import { credit, Field, logged, on, SECRETS, TOKEN, vector } from "./field.ts";

let field: Field;
beforeAll(async () => {
  field = await Field.open("operators");
});

test("B63 test-mode events at the production endpoint become business facts, or alarms", async () => {
  const handlers = [on("stripe-live", "*", credit), on("stripe-test", "*", credit)];
  const { lines } = await logged(async () => {
    for (const source of ["stripe-live", "stripe-test"]) expect((await field.send("B63 r1", { path: `/webhooks/${source}` })).status).toBe(202);
    await field.consume(await field.messages("evt_B_test", 2), handlers);
  });
  expect(await field.row("evt_B_test", "stripe-live")).toMatchObject({ status: "skipped", reason: "other_mode" });
  expect(await field.row("evt_B_test", "stripe-test")).toMatchObject({ status: "completed" });
  expect(await field.books.balance("evt_B_test")).toBe(1);
  expect(lines.filter(({ level, event }) => level === "error" && event !== "source_incomplete")).toEqual([]);
});

describe("B64 handshake requests are treated as events", () => {
  const get = (path: string, method = "GET") => field.post(new Request(`https://hooks.example.test${path}`, { method }));

  test("B64 each gets the exact answer that it wants, and creates nothing", async () => {
    const asked = vi.spyOn(env.CLAIMS, "getByName");
    const challenge = "/webhooks/meta?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=";
    const meta = await get(`${challenge}vt-test`);
    // As JSON reads it: a number, since nothing is around it.
    expect([meta.status, meta.body, meta.headers.get("content-type")]).toEqual([200, 1158201444, expect.stringContaining("text/plain")]);
    expect((await get(`${challenge}other`)).status).toBe(403);
    const slack = await field.send("B64 r1");
    expect([slack.status, slack.body]).toEqual([200, "3eZbrw1a"]);
    const forged = await field.send("B64 r2");
    expect([forged.status, forged.body]).toEqual([401, { error: "Invalid HMAC signature" }]);
    const discord = await field.send("B64 r3");
    expect([discord.status, discord.body, discord.headers.get("content-type")]).toEqual([200, { type: 1 }, "application/json"]);
    expect((await field.send("B64 r4")).status).toBe(401);
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
    expect(await field.count("webhook_events", "source in ('meta', 'slack', 'discord')")).toBe(0);
  });

  test("B64 other methods at other routes are no 500: a browser is helped, the rest is 405", async () => {
    expect([(await get("/webhooks/stripe")).status, (await get("/webhooks/stripe", "HEAD")).status]).toEqual([200, 200]);
    for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS"]) expect((await get("/webhooks/stripe", method)).status).toBe(405);
  });
});

describe("B65 logs and error bodies leak secrets, signatures or customer data", () => {
  const CANARIES = [
    "canary-7f3a",
    "CANARY-4242",
    "pw-canary",
    ...Object.values(SECRETS).filter((value) => !value.startsWith("https://") && value !== "vt-test"),
  ];
  const clean = (text: string): void => {
    for (const canary of [...CANARIES, signature]) expect(text).not.toContain(canary);
  };
  const { headers } = vector("B65 r1");
  const signature = headers["stripe-signature"]?.split("v1=")[1] ?? "";

  test("B65 accepted, forged, thrown payloads, refused values, a refused connection: none of it in a line or an answer", async () => {
    const flipped = headers["stripe-signature"]?.replace(/.$/, (last) => (last === "0" ? "1" : "0")) ?? "";
    const { result, text, lines } = await logged(async () => {
      const answers = [await field.send("B65 r1"), await field.send("B65 r1", { headers: { "stripe-signature": flipped } })];
      const messages = await field.messages("evt_B_log");
      const down = {
        connectionString: "postgres://u:pw-canary@db.example/x",
        connect: () => {
          throw new Error("connect ECONNREFUSED postgres://u:pw-canary@db.example/x");
        },
      };
      await field.consume(messages, [], { HYPERDRIVE: down });
      const failures = [
        on("stripe", "*", async ({ data }) => Promise.reject(new Error(JSON.stringify(data)))),
        on("stripe", "*", async ({ data }) => Promise.reject(new Error(`no plan for ${JSON.stringify(data.data, null, 1)}`))),
        on(
          "stripe",
          "*",
          async ({ tx, event }) =>
            void (await tx.execute(
              sql`insert into test_entries values (${event.key}, ${new TextDecoder().decode(event.bytes)}, 1), (${event.key}, 'b', 1)`,
            )),
        ),
        on(
          "stripe",
          "*",
          async ({ tx, data }) => void (await tx.execute(sql`select ${`{"a":"\\u0000","b":${JSON.stringify(data.data.object)}}`}::jsonb`)),
        ),
      ];
      for (const handler of failures) {
        await field.consume(messages, [handler]);
        await field.due("evt_B_log");
      }
      answers.push(await field.admin("stripe/evt_B_log", "GET", null), await field.admin("stripe/evt_B_log", "GET", "wrong"));
      return answers;
    });
    expect(result.map(({ status }) => status)).toEqual([202, 401, 401, 401]);
    clean(text);
    for (const { body } of result) clean(JSON.stringify(body));
    expect(await field.row("evt_B_log")).toMatchObject({ status: "failed", totalAttempts: 4 });
    // What an operator needs is there.
    expect(lines).toContainEqual(
      expect.objectContaining({ source: "stripe", eventId: "evt_B_log", type: "payment.succeeded", bytes: 150, digest: expect.any(String) }),
    );
    expect(lines).toContainEqual(expect.objectContaining({ eventId: "evt_B_log", outcome: "attempt_failed", sqlstate: "23505" }));
    expect(lines).toContainEqual(expect.objectContaining({ eventId: "evt_B_log", outcome: "failed", sqlstate: "22P05" }));
    expect(lines).toContainEqual(expect.objectContaining({ outcome: "attempt_failed", error: expect.stringContaining("no plan for ") }));
  });
});

const replay = (id: string, token?: string | null) => field.admin(`stripe/${id}/replay`, "POST", token);
const last = async (id: string, count: number): Promise<readonly EventMessage[]> => (await field.messages(id, count)).slice(-1);

test("B52 replayed or late, an event fails because its signature is now old", async () => {
  expect((await field.send("B52 r1")).outcome).toBe("queued");
  const [message] = await field.messages("evt_B_old");
  // To the consumer, eleven months after the signature; the secret that signed it is gone.
  const rotated = { STRIPE_WEBHOOK_SECRET: "whsec_another" };
  await field.consume([message], [on("stripe", "*", () => Promise.reject(new PermanentError("not yet")))], rotated);
  expect(await field.row("evt_B_old")).toMatchObject({ status: "failed" });
  expect([(await replay("evt_B_old", null)).status, (await replay("evt_B_old", "wrong")).status]).toEqual([401, 401]);
  expect(await field.row("evt_B_old")).toMatchObject({ status: "failed", replays: 0 });
  expect((await replay("evt_B_old", TOKEN)).status).toBe(202);
  await field.consume(await last("evt_B_old", 2), [on("stripe", "*", credit)], rotated);
  expect(await field.row("evt_B_old")).toMatchObject({ status: "completed", replays: 1 });
  expect(await field.books.balance("evt_B_old")).toBe(1);
});

test("B69 replay of a still-broken event loops between dead letters and queue", async () => {
  const one = await message({ source: "stripe" });
  const { id } = one.facts;
  const broken = [on("stripe", "*", () => Promise.reject(new PermanentError("no such plan")))];
  await field.consume([one], broken);
  const first = await field.row(id);
  for (let times = 1; times <= 3; times++) {
    expect((await replay(id)).status).toBe(202);
    await field.consume(await last(id, times), broken);
    expect(await field.row(id)).toMatchObject({ status: "failed", replays: times, totalAttempts: times + 1, receivedAtMs: first?.receivedAtMs });
  }
  expect(await field.count("webhook_events", `event_id = '${id}'`)).toBe(1);
  // Nobody tries again by himself.
  await field.books.run("update webhook_events set sent_at = now() - interval '30 days'");
  const swept: unknown[] = [];
  const EVENTS = {
    metrics: async () => ({ backlogCount: 0 }),
    sendBatch: async (messages: Iterable<{ body: EventMessage }>) => void swept.push(...[...messages].map(({ body }) => body.facts.id)),
  };
  const bindings = field.bindings({ EVENTS });
  await sweep(bindings, configOf(bindings));
  expect(swept).not.toContain(id);
});

test("B97 the attempt counter restarts at each redelivery, and the dead letter never comes", async () => {
  const { facts, ...rest } = await message({ source: "stripe" });
  const { id } = facts;
  let calls = 0;
  const failing = [
    on("stripe", "*", async () => {
      calls++;
      throw new Error("always");
    }),
  ];
  for (let redelivery = 0; redelivery < 5; redelivery++) {
    // A redelivery arrives in the middle of the attempts, and after the last one.
    const again = { ...rest, opening: rest.opening + redelivery, facts: { ...facts, receivedAtMs: facts.receivedAtMs + redelivery } };
    for (let attempt = 0; attempt < ATTEMPTS_LIMIT; attempt++) {
      await field.consume([again, again], failing);
      await field.due(id);
    }
    const row = await field.row(id);
    expect(row).toMatchObject({ status: "failed", reason: "attempts_used_up", attempts: ATTEMPTS_LIMIT, receivedAtMs: facts.receivedAtMs });
    expect([row?.totalAttempts, calls]).toEqual([(redelivery + 1) * ATTEMPTS_LIMIT, (redelivery + 1) * ATTEMPTS_LIMIT]);
  }
  expect(await field.count("webhook_events", `event_id = '${id}' and status = 'failed'`)).toBe(1);
  expect(await field.count("webhook_attempts", `event_id = '${id}'`)).toBe(calls);
});
