/** The operators' JSON API. */
import { Hono } from "hono";
import type { EventKey } from "../core/event.ts";
import { errorText, log } from "../log.ts";
import type { OperatorEnv } from "../operators/desk.ts";
import { readHandshakes } from "../store/statements/handshakes.ts";
import { readEvent } from "../store/statements/read-event.ts";
import { ordersApi } from "./api-orders.ts";
import { problem } from "./problem.ts";

export const api = new Hono<OperatorEnv>({ strict: false })
  .get("/events/:source/:id", async (c) => {
    const key: EventKey = { source: c.req.param("source"), id: c.req.param("id") };
    const event = await readEvent(c.get("desk").db, key);
    return event === null ? unknownEvent(key) : c.json(event);
  })
  .route("/", ordersApi)
  .get("/sources/:source/handshakes", async (c) => c.json(await readHandshakes(c.get("desk").db, c.req.param("source"))))
  .onError((error) => {
    log("error", "admin_failed", { error: errorText(error) });
    return problem(503, "Temporarily unavailable", "the ledger did not answer; try again");
  });

function unknownEvent(key: EventKey): Response {
  return problem(404, "Unknown event", `the ledger has no event ${JSON.stringify(key.id)} of source ${JSON.stringify(key.source)}`);
}
