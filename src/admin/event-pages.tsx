/** One event's page, its payload as a file, and the orders for it: forms that lead back to the page. */
import { Hono } from "hono";
import { type Flash, flashText } from "../console/flash.ts";
import { eventPath, idOf } from "../console/links.ts";
import { Story } from "../console/pages/story.tsx";
import { EVENT_ID_LIMIT_BYTES, SOURCE_NAME_LIMIT_BYTES } from "../core/limits.ts";
import type { EventKey } from "../core/event.ts";
import { failed, ok, type Result } from "../core/result.ts";
import type { OperatorEnv } from "../operators/desk.ts";
import { isStorable } from "../operators/event-query.ts";
import { orderDiscard } from "../operators/order-discard.ts";
import { orderErase } from "../operators/order-erase.ts";
import { orderReplay } from "../operators/order-replay.ts";
import { type OrderRefusal, refusalInWords, type Told } from "../operators/refusal.ts";
import { seeClaim } from "../operators/see-claim.ts";
import { seePayload } from "../operators/see-payload.ts";
import { seeStory } from "../operators/see-story.ts";
import { unknownEventText } from "../operators/unknown-event.ts";
import { notHere, type Page, show } from "./page.tsx";
import { payloadAnswer } from "./payload-answer.ts";

const ORDERS = { replay, discard, erase };

export const eventPages = new Hono<OperatorEnv>({ strict: false })
  .get("/events/:source/:id", async (c) => {
    const key = keyOf(c);
    return key === null ? notHere(c, "there can be no such event") : storyPage(c, key, null);
  })
  .get("/events/:source/:id/payload", async (c) => {
    const key = keyOf(c);
    const bytes = key === null ? null : await seePayload(c.get("desk"), key);
    return bytes === null ? notHere(c, "the ledger has no such event, or its bytes are not kept any more") : payloadAnswer(bytes);
  })
  .post("/events/:source/:id/:action{replay|discard|erase}", async (c) => {
    const key = keyOf(c);
    if (key === null) return notHere(c, "there can be no such event");
    const given: Readonly<Record<string, unknown>> = await c.req.parseBody().catch(() => ({}));
    const done = await ORDERS[c.req.param("action") as keyof typeof ORDERS](c, key, given);
    if (!done.ok) return storyPage(c, key, done.failure);
    const path = eventPath(key);
    return c.redirect(`${path}${path.includes("?") ? "&" : "?"}done=${done.value}`, 303);
  });

/** null: no event's. */
function keyOf(c: Page): EventKey | null {
  const source = c.req.param("source") ?? "";
  const id = idOf(c.req.param("id") ?? "", c.req.query("id"));
  return isStorable(source, SOURCE_NAME_LIMIT_BYTES) && isStorable(id, EVENT_ID_LIMIT_BYTES) ? { source, id } : null;
}

async function storyPage(c: Page, key: EventKey, refusal: Told | null): Promise<Response> {
  const desk = c.get("desk");
  const story = await seeStory(desk, key);
  if (story === null) return notHere(c, unknownEventText(key, await seeClaim(desk, key)));
  const flash = refusal === null ? flashText(c.req.query("done")) : null;
  return show(c, <Story operator={c.get("operator")} story={story} nowMs={Date.now()} flash={flash} refusal={refusal} />, refusal?.status ?? 200);
}

type Fields = Readonly<Record<string, unknown>>;
type Done = Promise<Result<Flash, Told>>;

async function replay(c: Page, key: EventKey, given: Fields): Done {
  const force = given["force"] !== undefined;
  const reason = reasonOf(given);
  // The form asks for both; a browser without its checks does not get around them.
  if (force && given["confirm"] === undefined)
    return failed({ status: 400, title: "Not confirmed", detail: "tick the box that says that its effect is meant to happen a second time" });
  if (force && reason === "") return failed(refusalInWords({ reason: "reason_missing" }));
  const done = await orderReplay(c.get("desk"), c.get("operator"), key, { force, reason });
  if (!done.ok) return refused(done.failure);
  return ok(done.value.isSent ? (force ? "forced" : "replayed") : "replayed_send_refused");
}

async function discard(c: Page, key: EventKey, given: Fields): Done {
  const done = await orderDiscard(c.get("desk"), c.get("operator"), key, reasonOf(given));
  return done.ok ? ok("discarded") : refused(done.failure);
}

async function erase(c: Page, key: EventKey, given: Fields): Done {
  const done = await orderErase(c.get("desk"), c.get("operator"), key, reasonOf(given));
  if (!done.ok) return refused(done.failure);
  return ok(done.value.left.length === 0 ? "erased" : "erased_copy_left");
}

const refused = (refusal: OrderRefusal): Result<never, Told> => failed(refusalInWords(refusal));
const reasonOf = ({ reason }: Fields): string => (typeof reason === "string" ? reason.trim() : "");
