/** The API's changes: each an order of src/operators, with its audit row. */
import { Hono } from "hono";
import type { z } from "zod";
import type { EventFilter } from "../core/operators.ts";
import type { OperatorEnv } from "../operators/desk.ts";
import { groupBody, reasonBody, replayBody } from "../operators/order-body.ts";
import { orderAlertTest } from "../operators/order-alert-test.ts";
import { orderDiscard } from "../operators/order-discard.ts";
import { orderErase } from "../operators/order-erase.ts";
import { orderCancel, orderGroupReplay } from "../operators/order-group-replay.ts";
import { orderReplay } from "../operators/order-replay.ts";
import { planReplay } from "../operators/plan-replay.ts";
import { type OrderRefusal, refusalInWords, type Told } from "../operators/refusal.ts";
import { jsonBody } from "./json-body.ts";
import { problem, type ProblemAnswer } from "./problem.ts";

export const ordersApi = new Hono<OperatorEnv>({ strict: false })
  .post("/events/:source/:id/replay", jsonBody(replayBody), async (c) => {
    const key = c.req.param();
    const done = await orderReplay(c.get("desk"), c.get("operator"), key, c.req.valid("json"));
    if (!done.ok) return refused(done.failure);
    const { opening, what, isSent } = done.value;
    const note = isSent ? {} : { note: "the queue refused the message; the sweep sends it within the hour" };
    return c.json({ status: "replayed" as const, what, eventId: key.id, opening, ...note }, 202);
  })
  .post("/events/:source/:id/discard", jsonBody(reasonBody), async (c) => {
    const key = c.req.param();
    const done = await orderDiscard(c.get("desk"), c.get("operator"), key, c.req.valid("json").reason);
    if (!done.ok) return refused(done.failure);
    return c.json({ status: "discarded" as const, what: done.value.what, eventId: key.id }, 200);
  })
  .post("/events/:source/:id/erase", jsonBody(reasonBody), async (c) => {
    const key = c.req.param();
    const done = await orderErase(c.get("desk"), c.get("operator"), key, c.req.valid("json").reason);
    if (!done.ok) return refused(done.failure);
    const { delivery, left } = done.value;
    const note = left.length === 0 ? {} : { note: `a copy may be left of ${left.map((id) => JSON.stringify(id)).join(", ")}: give the order again` };
    return c.json({ status: "erased" as const, eventId: key.id, delivery, ...note }, 200);
  })
  .post("/replays", jsonBody(groupBody), async (c) => {
    const { dryRun, ...order } = c.req.valid("json");
    const wish = { ...order, filter: givenOf(order.filter) };
    if (dryRun) return c.json({ dryRun: true as const, plan: await planReplay(c.get("desk"), wish) }, 200);
    const started = await orderGroupReplay(c.get("desk"), c.get("operator"), wish);
    return started.ok ? c.json(started.value, 201) : refused(started.failure);
  })
  .post("/alerts/test", async (c) => {
    const done = await orderAlertTest(c.get("desk"), c.get("operator"));
    return done.ok ? c.json({ status: done.value }, 200) : refused(done.failure);
  })
  .post("/replays/:id/cancel", async (c) => {
    const done = await orderCancel(c.get("desk"), c.get("operator"), c.req.param("id"));
    return done.ok ? c.json(done.value, 200) : refused(done.failure);
  });

/** Without the fields that were not given. */
function givenOf(filter: z.output<typeof groupBody>["filter"]): EventFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

function refused(refusal: OrderRefusal): ProblemAnswer<Told["status"]> {
  const { status, title, detail } = refusalInWords(refusal);
  return problem(status, title, detail);
}
