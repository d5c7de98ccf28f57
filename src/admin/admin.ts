/** Everything under /admin: off (404) until an operator can sign in. The JSON API under /admin/api, the console beside it. */
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { configOf } from "../config.ts";
import { assetResponse } from "../console/assets.ts";
import { ORDER_LIMIT_BYTES } from "../core/limits.ts";
import type { Sources } from "../handler.ts";
import type { OperatorEnv } from "../operators/desk.ts";
import { openClient } from "../store/client.ts";
import { api } from "./api.ts";
import { pages } from "./pages.tsx";
import { problem } from "./problem.ts";
import { containment, keptByNobody } from "./security-headers.ts";
import { signInPages } from "./sign-in-pages.tsx";
import { offUntilConfigured, onlyOperators } from "./sign-in.ts";

export function createAdmin(sources: Sources) {
  const tooLarge = () => problem(413, "Too large", `a request to the admin API has at most ${ORDER_LIMIT_BYTES} bytes`);
  return new Hono<OperatorEnv>({ strict: false })
    .basePath("/admin")
    .use(offUntilConfigured)
    .use(containment, keptByNobody, bodyLimit({ maxSize: ORDER_LIMIT_BYTES, onError: tooLarge }))
    .get("/assets/:name", (c) => assetResponse(c.req.param("name")) ?? c.notFound())
    .route("/", signInPages)
    .use(onlyOperators)
    .use(async (c, next) => {
      const config = configOf(c.env);
      c.set("desk", { env: c.env, config, db: openClient(c.env.HYPERDRIVE, config.timings).db, sources, origin: new URL(c.req.url).origin });
      await next();
    })
    .route("/api", api)
    .route("/", pages);
}
