/** The operators' JSON API: reads and orders under one roof, every refusal a problem (RFC 9457). */
import { Hono } from "hono";
import { errorText, log } from "../log.ts";
import type { OperatorEnv } from "../operators/desk.ts";
import { isTooSlow } from "../store/reading.ts";
import { ordersApi } from "./api-orders.ts";
import { readsApi } from "./api-reads.ts";
import { onlyKeys } from "./event-key.ts";
import { problem } from "./problem.ts";

const routes = new Hono<OperatorEnv>({ strict: false }).route("/", readsApi).route("/", ordersApi);

/** What `hc` is typed with: `hc<AdminApi>("https://.../admin/api")`. */
export type AdminApi = typeof routes;

export const api = new Hono<OperatorEnv>({ strict: false })
  .use("/events/:source/:id/*", onlyKeys)
  .use("/sources/:source/*", onlyKeys)
  .route("/", routes)
  .all("*", (c) => problem(404, "Unknown route", `the API has no ${c.req.method} ${new URL(c.req.url).pathname}`))
  .onError((error) => {
    log("error", "admin_failed", { error: errorText(error) });
    if (isTooSlow(error)) return problem(503, "Too slow", "the question is too wide to be answered in time: narrow the time range, or name a source");
    return problem(503, "Temporarily unavailable", "the ledger did not answer; try again");
  });
