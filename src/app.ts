/** Mounts ingest and admin; the one onError and notFound. Provider routes and admin routes share no middleware. */
import { Hono } from "hono";
import { admin } from "./admin/admin.ts";
import { configOf } from "./config.ts";
import { ingest } from "./ingest/route.ts";
import { errorText, frames, log } from "./log.ts";
import type { Provider } from "./providers/provider.ts";

export function createApp(sources: Readonly<Record<string, Provider>>) {
  // A trailing slash is accepted, never redirected: providers do not follow redirects, or turn them into GETs.
  const app = new Hono<{ Bindings: Env }>({ strict: false });
  const names = Object.keys(sources);

  app.get("/", (c) => c.text(`Holdfast receives webhooks at ${names.map((name) => `/webhooks/${name}`).join(", ")}.\n`));
  app.get("/healthz", (c) => c.json({ status: "ok" }, 200, { "cache-control": "no-store" }));
  app.all("/webhooks/:source", (c) => ingest(c.req.raw, c.req.param("source"), { env: c.env, config: configOf(c.env), sources }));
  app.all("/api/v1/webhooks", (c) => ingest(c.req.raw, "generic", { env: c.env, config: configOf(c.env), sources }));
  app.route("/admin", admin);

  app.notFound((c) => c.json({ error: "Not found" }, 404));
  app.onError((error, c) => {
    log("error", "unhandled", { error: errorText(error), ...(error.stack === undefined ? {} : { stack: frames(error.stack) }) });
    return c.json({ error: "Temporarily unavailable" }, 503, { "retry-after": "30" });
  });
  return app;
}
