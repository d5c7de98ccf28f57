/** Field cases: one event that comes more than once, and what has to hold then. */
import { evictDurableObject } from "cloudflare:test";
import { beforeAll, expect, test, vi } from "vitest";
import {
  credit,
  claimOf,
  Field,
  forget,
  ONCE,
  STRIPE_CONNECT_SECRET,
  STRIPE_OLD_SECRET,
  signedHeaders,
  STRIPE_SECRET,
  T0_MS,
  underId,
  vector,
} from "./field.ts";
import { PermanentError } from "#holdfast";
import { on } from "../../support/own-app.ts";

let field: Field;
beforeAll(async () => {
  field = await Field.open("dedupe");
});

test("B01 the same event delivered twice, one after the other, runs the action again", async () => {
  expect((await field.send("B01 r1")).outcome).toBe("queued");
  await field.consume(await field.messages("evt_B_seq"));
  for (let resend = 0; resend < 4; resend++) {
    const answer = await field.send("B01 r2", { nowMs: T0_MS + 120_000 });
    expect([answer.status, answer.outcome]).toEqual([200, "done"]);
  }
  expect(await field.sent("evt_B_seq")).toBe(1);
  expect(await field.counts("evt_B_seq")).toEqual(ONCE);
});

test("B02 the same event, many deliveries at the same instant, runs twice", { timeout: 120_000 }, async () => {
  const ids = Array.from({ length: 20 }, (_, n) => `evt_B_conc_${n + 1}`);
  const wrong = vi.spyOn(console, "error");
  // A few at a time: the watchdog of TIMINGS=fast sends again after 10 s what nobody settled.
  for (let from = 0; from < ids.length; from += 4) {
    const some = ids.slice(from, from + 4);
    for (const id of some) {
      const other = await underId("B02 r1", "evt_B_conc", id);
      const answers = await Promise.all(Array.from({ length: 50 }, () => field.send("B02 r1", other)));
      expect(answers.filter(({ status }) => status !== 202)).toEqual([]);
      expect(answers.filter(({ outcome }) => outcome === "queued")).toHaveLength(1);
    }
    await field.consume((await Promise.all(some.map((id) => field.messages(id)))).flat());
  }
  expect(wrong).not.toHaveBeenCalled();
  wrong.mockRestore();
  expect(await Promise.all(ids.map((id) => field.counts(id)))).toEqual(ids.map(() => ONCE));
  expect(await Promise.all(ids.map((id) => field.sent(id)))).toEqual(ids.map(() => 1));
});

test("B02 the very bytes of the case, 50 at once: one queued, 49 pending", async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => field.send("B02 r1")));
  expect(answers.filter(({ outcome }) => outcome === "pending")).toHaveLength(49);
  await field.consume(await field.messages("evt_B_conc"));
  expect(await field.counts("evt_B_conc")).toEqual(ONCE);
});

test("B18 dedupe memory forgets before the provider stops retrying", async () => {
  for (const [index, laterSeconds] of [0, 301, 86_401, 259_200, 2_592_000].entries()) {
    const answer = await field.send(`B18 r${index + 1}`, { nowMs: T0_MS + laterSeconds * 1_000 });
    expect(answer.outcome).toBe("queued");
    await field.consume((await field.messages("evt_B_late", index + 1)).slice(-1));
    expect(await field.counts("evt_B_late")).toEqual(ONCE);
    await forget("stripe", "evt_B_late");
  }
});

test("B22 one event, two endpoints with their own secrets at the same URL: half is rejected, or both are handled", async () => {
  const bindings = { STRIPE_WEBHOOK_SECRET: STRIPE_SECRET, STRIPE_WEBHOOK_SECRET_NEXT: STRIPE_CONNECT_SECRET };
  const secretOf = { r1: await verifiesUnder("B22 r1"), r2: await verifiesUnder("B22 r2") };
  expect(secretOf).toEqual({ r1: STRIPE_SECRET, r2: STRIPE_CONNECT_SECRET });
  expect((await field.send("B22 r1", { bindings })).outcome).toBe("queued");
  expect((await field.send("B22 r2", { bindings })).outcome).toBe("pending");
  await field.consume(await field.messages("evt_B_two"));
  // The account is not part of the key: the same id with other bytes is a duplicate, and said to be one.
  const warned = vi.spyOn(console, "warn");
  expect((await field.send("B22 r3", { bindings })).outcome).toBe("done");
  expect(warned.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown)).toMatchObject([{ event: "payload_mismatch", eventId: "evt_B_two" }]);
  warned.mockRestore();
  expect(await field.counts("evt_B_two")).toEqual(ONCE);
});

/** Which of the case's secrets a request was signed with. */
async function verifiesUnder(name: string): Promise<string | undefined> {
  for (const secret of [STRIPE_SECRET, STRIPE_OLD_SECRET, STRIPE_CONNECT_SECRET]) {
    const headers = await signedHeaders("stripe", vector(name).body, secret);
    if (headers["stripe-signature"] === vector(name).headers["stripe-signature"]) return secret;
  }
  return undefined;
}

const B23 = "b0000000-0000-4000-8000-000000000073";
test("B23 a redelivery by the provider's button is ignored though the event failed", async () => {
  expect((await field.send("B23 r1")).outcome).toBe("queued");
  // (c) still waiting for a retry.
  expect((await field.send("B23 r1")).body).toMatchObject({ status: "pending" });
  const broken = [on("github", "*", () => Promise.reject(new PermanentError("broken")))];
  await field.consume(await field.messages(B23), broken);
  expect(await field.counts(B23)).toEqual({ events: 1, effects: 0, status: "failed" });
  // (b) dead-lettered, healed, delivered again.
  const reopened = await field.send("B23 r1");
  expect([reopened.status, reopened.outcome]).toEqual([202, "requeued"]);
  await field.consume((await field.messages(B23, 2)).slice(-1));
  expect(await field.counts(B23)).toEqual(ONCE);
});

test("B23 a redelivery by the provider's button runs an event again that is done", async () => {
  const id = "b0000000-0000-4000-8000-0000000000a1";
  const headers = { "x-github-delivery": id };
  await field.send("B23 r1", { headers });
  await field.consume(await field.messages(id));
  const answer = await field.send("B23 r1", { headers, nowMs: T0_MS + 3 * 86_400_000 });
  expect([answer.status, answer.body]).toEqual([200, { status: "ignored", reason: "Event already processed", eventId: id }]);
  expect(await field.sent(id)).toBe(1);
  expect(await field.counts(id)).toEqual(ONCE);
});

test("B39 dedupe memory lives in one process: after a restart the event is handled again", async () => {
  expect((await field.send("B39 r1")).outcome).toBe("queued");
  await field.consume(await field.messages("evt_B_mem"));
  await evictDurableObject(claimOf("stripe", "evt_B_mem"));
  expect((await field.send("B39 r1")).outcome).toBe("done");
  // Without the object's storage too: Postgres alone holds the line.
  await forget("stripe", "evt_B_mem");
  expect((await field.send("B39 r1")).outcome).toBe("queued");
  const messages = await field.messages("evt_B_mem", 2);
  expect((await field.consume(messages, credit)).acked).toHaveLength(2);
  expect(await field.counts("evt_B_mem")).toEqual(ONCE);
});
