/** Mounts ingest and admin; the one onError and notFound. Provider routes and admin routes share no middleware. */
import { type Context, Hono } from "hono";
import { type Config, configOf, isDev } from "./config.ts";
import { ingest } from "./ingest/route.ts";
import { errorText, frames, log } from "./log.ts";
import { missingFor } from "./missing.ts";
import type { Provider } from "./providers/provider.ts";
import { readiness } from "./ready.ts";

export function createApp(sources: Readonly<Record<string, Provider>>) {
  // A trailing slash is accepted, never redirected: providers do not follow redirects, or turn them into GETs.
  const app = new Hono<{ Bindings: Env }>({ strict: false });
  const names = Object.keys(sources);
  const told = new WeakSet<object>();
  /** Once an isolate, with its first delivery: what its sources still need, also those that nobody has posted to yet. */
  const ready = (env: Env): Config => {
    const config = configOf(env);
    if (!told.has(env)) {
      told.add(env);
      tellMissing(sources, config);
    }
    return config;
  };

  app.get("/", (c) => c.text(`Holdfast receives webhooks at ${names.map((name) => `/webhooks/${name}`).join(", ")}.\n`));
  app.get("/healthz", (c) => c.json({ status: "ok" }, 200, { "cache-control": "no-store" }));
  app.get("/readyz", async (c) => {
    const found = await readiness(c.env, ready(c.env), sources);
    return c.json(found, found.status === "ready" ? 200 : 503, { "cache-control": "no-store" });
  });
  app.all("/webhooks/:source", (c) => ingest(c.req.raw, c.req.param("source"), { env: c.env, config: ready(c.env), sources }));
  app.all("/api/v1/webhooks", (c) => ingest(c.req.raw, "generic", { env: c.env, config: ready(c.env), sources }));
  // With its first request: no delivery waits for it, and the CLI, which reads src/sources.ts under Node, meets no JSX.
  const admin = async () => (await import("./admin/admin.ts")).createAdmin(sources).notFound(notFound).onError(unavailable);
  // What came of it is kept, not the promise: that belongs to the request that made it, and ends with it.
  let opened: Awaited<ReturnType<typeof admin>> | null = null;
  app.all("/admin/*", async (c) => (opened ??= await admin()).fetch(c.req.raw, c.env, c.executionCtx));

  return app.notFound(notFound).onError(unavailable);
}

const notFound = (c: Context): Response => c.json({ error: "Not found" }, 404);

function unavailable(error: Error, c: Context): Response {
  log("error", "unhandled", { error: errorText(error), ...(error.stack === undefined ? {} : { stack: frames(error.stack) }) });
  return c.json({ error: "Temporarily unavailable" }, 503, { "retry-after": "30" });
}

function tellMissing(sources: Readonly<Record<string, Provider>>, config: Config): void {
  for (const [source, provider] of Object.entries(sources)) {
    for (const { hint, refuses } of missingFor(source, provider, config, isDev())) {
      log(refuses ? "error" : "warn", "source_incomplete", { source, hint });
    }
  }
}
