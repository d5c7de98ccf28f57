/** Every preset down the whole path: its sample is signed, posted, accepted, split where it carries several events, handled, and completed once. */
import { describe, expect, it } from "vitest";
import { deliver, type Delivered } from "#holdfast/test";
import { sampleOf } from "../../cli/send/sample.ts";
import { on, sources } from "../support/every-preset.ts";
import { PAYLOAD_CANARY } from "../support/leaks.ts";

const names = Object.keys(sources);
/** Each waits on a connection of its own, most of the time for the queue's next batch. */
const AT_ONCE = 20;

async function usual(source: string): Promise<unknown> {
  const provider = sources[source];
  if (provider === undefined) return "no such source";
  const { type } = sampleOf(provider)(undefined, { id: "evt_1", user: "u", amount: 5 });
  return deliver(source, type, { note: PAYLOAD_CANARY }, { times: 2, timeoutMs: 60_000 }).then(inWords, String);
}

const inWords = ({ status, events, error, answers }: Delivered): unknown => ({
  status,
  error,
  answers,
  events: [...new Set(events.map((event) => event.status))],
});

it("the usual event of every preset is delivered twice at once, and completed", { timeout: 300_000 }, async () => {
  const seen: [string, unknown][] = [];
  for (let at = 0; at < names.length; at += AT_ONCE)
    seen.push(...(await Promise.all(names.slice(at, at + AT_ONCE).map(async (name): Promise<[string, unknown]> => [name, await usual(name)]))));
  const expected = { status: "completed", error: null, answers: ["pending", "queued"], events: ["completed"] };
  expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(names.map((name) => [name, expected])));
  expect(names.length).toBeGreaterThan(60);
});

describe("a delivery of several events", () => {
  const item = (id: string) => ({ NotificationRequestItem: { pspReference: id } });

  it("has a row and a run for each, which a list is laid over one by one", async () => {
    const ids = ["a", "b", "c"].map((name) => `${crypto.randomUUID()}-${name}`);
    const ran: string[] = [];
    const handler = on("adyen", "AUTHORISATION", async ({ data }) => {
      ran.push((data as ReturnType<typeof item>).NotificationRequestItem.pspReference);
    });
    const { id, status, events } = await deliver("adyen", "AUTHORISATION", ids.map(item), { handlers: [handler] });
    expect(ran.toSorted()).toEqual(ids.toSorted());
    expect(events.map((event) => event.id.split(":")[0])).toEqual(ids);
    expect(events.map((event) => event.status)).toEqual(["completed", "completed", "completed"]);
    expect({ id, status }).toEqual({ id: expect.stringMatching(/^delivery:/) as string, status: "completed" });
  });

  it("is told as its only event where it carries one, laid over as the handler gets it", async () => {
    const own = crypto.randomUUID();
    const { id, status, events } = await deliver("adyen", "CAPTURE", item(own), { handlers: [on("adyen", "CAPTURE", async () => undefined)] });
    expect({ id, status }).toEqual({ id: `${own}:CAPTURE:true:SampleMerchant`, status: "completed" });
    expect(events.map((event) => event.id)).toEqual([id]);
  });

  it("tells of a handler that fails for one of them", async () => {
    const ids = [crypto.randomUUID(), crypto.randomUUID()];
    const fails = on("adyen", "*", async ({ event }) => {
      if (event.id.startsWith(ids[1] ?? "")) throw new Error("not this one");
    });
    const { events } = await deliver("adyen", "AUTHORISATION", ids.map(item), { handlers: [fails] });
    expect(events.map(({ status, error }) => [status, error?.split("\n")[0] ?? null])).toEqual([
      ["completed", null],
      ["pending", expect.stringContaining("not this one")],
    ]);
  });
});

it("a delivery that is refused is an error with the answer, not a wait", async () => {
  await expect(deliver("stripe", "a", { id: "" })).rejects.toThrow("there is no event id: Stripe keeps it in");
});
