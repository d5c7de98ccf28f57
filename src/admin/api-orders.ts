/** The API's changes: each an order of src/operators, with its audit row. */
import { Hono } from "hono";
import type { OperatorEnv } from "../operators/desk.ts";
import { reasonBody, replayBody } from "../operators/order-body.ts";
import { orderDiscard } from "../operators/order-discard.ts";
import { orderErase } from "../operators/order-erase.ts";
import { orderReplay } from "../operators/order-replay.ts";
import { type OrderRefusal, refusalInWords } from "../operators/refusal.ts";
import { jsonBody } from "./json-body.ts";
import { problem } from "./problem.ts";

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
  });

function refused(refusal: OrderRefusal): Response {
  const { status, title, detail } = refusalInWords(refusal);
  return problem(status, title, detail);
}
