/** The operators' API: off (404) until ADMIN_TOKEN is set. Reads and replays one event; shows the secrets that a provider has sent. */
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { configOf } from "../config.ts";
import type { EventKey } from "../core/event.ts";
import { messageForRow } from "../core/message.ts";
import { errorText, log } from "../log.ts";
import { isSameText } from "../schemes/compare.ts";
import { openClient } from "../store/client.ts";
import { readHandshakes } from "../store/statements/handshakes.ts";
import { readEvent } from "../store/statements/read-event.ts";
import { replay } from "../store/statements/replay.ts";

/** RFC 9457. */
function problem(status: 400 | 401 | 404 | 409 | 410 | 503, title: string, detail: string): Response {
  return Response.json(
    { type: "about:blank", title, status, detail },
    { status, headers: { "content-type": "application/problem+json", "cache-control": "no-store" } },
  );
}

const onlyOperators = createMiddleware<{ Bindings: Env }>(async (c, next) => {
  const { adminToken } = configOf(c.env);
  if (adminToken === null) return c.json({ error: "Not found" }, 404);
  const given = /^Bearer +(\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? "";
  if (!(await isSameText(given, adminToken))) return problem(401, "Unauthorized", "send the header `authorization: Bearer <ADMIN_TOKEN>`");
  await next();
  c.header("cache-control", "no-store");
  return undefined;
});

export const admin = new Hono<{ Bindings: Env }>({ strict: false })
  .use(onlyOperators)
  .get("/api/events/:source/:id", async (c) => {
    const key: EventKey = { source: c.req.param("source"), id: c.req.param("id") };
    const event = await readEvent(openClient(c.env.HYPERDRIVE, configOf(c.env).timings).db, key);
    return event === null ? unknownEvent(key) : c.json(event);
  })
  .post("/api/events/:source/:id/replay", async (c) => {
    const key: EventKey = { source: c.req.param("source"), id: c.req.param("id") };
    const { db } = openClient(c.env.HYPERDRIVE, configOf(c.env).timings);
    const replayed = await replay(db, key, Date.now());
    const event = await readEvent(db, key);
    if (event === null) return unknownEvent(key);
    if (replayed === null) return refusal(event);
    const { opening, what } = replayed;
    log("info", "replay", { source: key.source, eventId: key.id, type: event.type, opening, outcome: what });
    try {
      await c.env.EVENTS.send(messageForRow({ ...event, opening }), { contentType: "v8" });
      return c.json({ status: "replayed", what, eventId: key.id, opening }, 202);
    } catch (error) {
      log("warn", "replay", { source: key.source, eventId: key.id, opening, outcome: "send_refused", error: errorText(error) });
      return c.json(
        { status: "replayed", what, eventId: key.id, opening, note: "the queue refused the message; the sweep sends it within the hour" },
        202,
      );
    }
  })
  .get("/api/sources/:source/handshakes", async (c) =>
    c.json(await readHandshakes(openClient(c.env.HYPERDRIVE, configOf(c.env).timings).db, c.req.param("source"))),
  )
  .onError((error) => {
    log("error", "admin_failed", { error: errorText(error) });
    return problem(503, "Temporarily unavailable", "the ledger did not answer; try again");
  });

function unknownEvent(key: EventKey): Response {
  return problem(404, "Unknown event", `the ledger has no event ${JSON.stringify(key.id)} of source ${JSON.stringify(key.source)}`);
}

function refusal(event: { readonly status: string; readonly hasBody: boolean; readonly after: string }): Response {
  if (event.status === "pending") return problem(409, "Already pending", "the event is open for work; it was replayed already, or never failed");
  if (!event.hasBody) return problem(410, "No bytes", "the event's bytes are no longer kept; send it again from the provider");
  return problem(409, "Nothing to replay", `the event is ${event.status}${event.after === "none" ? "" : `, its after is ${event.after}`}`);
}
