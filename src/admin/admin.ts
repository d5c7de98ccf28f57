/** Everything under /admin: off (404) until an operator can sign in. The JSON API under /admin/api, the console beside it. */
import { Hono } from "hono";
import { configOf } from "../config.ts";
import type { Sources } from "../handler.ts";
import type { OperatorEnv } from "../operators/desk.ts";
import { openClient } from "../store/client.ts";
import { api } from "./api.ts";
import { onlyOperators } from "./sign-in.ts";

export function createAdmin(sources: Sources) {
  return new Hono<OperatorEnv>({ strict: false })
    .use(onlyOperators)
    .use(async (c, next) => {
      const config = configOf(c.env);
      c.set("desk", { env: c.env, config, db: openClient(c.env.HYPERDRIVE, config.timings).db, sources, origin: new URL(c.req.url).origin });
      await next();
    })
    .route("/api", api);
}
