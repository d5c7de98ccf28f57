/** The API's changes. */
import { Hono } from "hono";
import type { EventKey } from "../core/event.ts";
import { messageForRow } from "../core/message.ts";
import { errorText, log } from "../log.ts";
import type { OperatorEnv } from "../operators/desk.ts";
import { readEvent } from "../store/statements/read-event.ts";
import { replay } from "../store/statements/replay.ts";
import { problem } from "./problem.ts";

export const ordersApi = new Hono<OperatorEnv>({ strict: false }).post("/events/:source/:id/replay", async (c) => {
  const key: EventKey = { source: c.req.param("source"), id: c.req.param("id") };
  const { db } = c.get("desk");
  const replayed = await replay(db, key, Date.now());
  const event = await readEvent(db, key);
  if (event === null)
    return problem(404, "Unknown event", `the ledger has no event ${JSON.stringify(key.id)} of source ${JSON.stringify(key.source)}`);
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
});

function refusal(event: { readonly status: string; readonly hasBody: boolean; readonly after: string }) {
  if (event.status === "pending") return problem(409, "Already pending", "the event is open for work; it was replayed already, or never failed");
  if (!event.hasBody) return problem(410, "No bytes", "the event's bytes are no longer kept; send it again from the provider");
  return problem(409, "Nothing to replay", `the event is ${event.status}${event.after === "none" ? "" : `, its after is ${event.after}`}`);
}
