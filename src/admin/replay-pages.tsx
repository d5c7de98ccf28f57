/** Replays of groups: a dry run that stands in the URL, the order for it, and each run's progress. */
import { Hono } from "hono";
import { flashText } from "../console/flash.ts";
import { replayPath } from "../console/links.ts";
import { Replay } from "../console/pages/replay.tsx";
import { ReplayNew } from "../console/pages/replay-new.tsx";
import { Replays } from "../console/pages/replays.tsx";
import { readReplayForm } from "../console/replay-form.ts";
import type { OperatorEnv } from "../operators/desk.ts";
import { orderCancel, orderGroupReplay } from "../operators/order-group-replay.ts";
import { planReplay } from "../operators/plan-replay.ts";
import { type OrderRefusal, refusalInWords, type Told } from "../operators/refusal.ts";
import { seeReplay, seeReplays } from "../operators/see-replays.ts";
import { notHere, type Page, show } from "./page.tsx";

export const replayPages = new Hono<OperatorEnv>({ strict: false })
  .get("/replays", async (c) => show(c, <Replays operator={c.get("operator")} runs={await seeReplays(c.get("desk"))} />))
  .get("/replays/new", (c) => planPage(c, c.req.query(), c.req.query("dry") !== undefined))
  .post("/replays", async (c) => {
    // The form asks for a reason; a browser without its checks does not get around that.
    const given: Fields = { reason: "", ...textsOf(await c.req.parseBody().catch(() => ({}))) };
    const { order, problems } = readReplayForm(given);
    if (problems.length > 0) return planPage(c, given, true);
    const started = await orderGroupReplay(c.get("desk"), c.get("operator"), order);
    if (!started.ok) return refused(c, started.failure);
    return c.redirect(`${replayPath(started.value.id)}?done=replay_started`, 303);
  })
  .get("/replays/:id", (c) => replayPage(c, null))
  .post("/replays/:id/cancel", async (c) => {
    const done = await orderCancel(c.get("desk"), c.get("operator"), c.req.param("id"));
    return done.ok ? c.redirect(`${replayPath(done.value.id)}?done=replay_cancelled`, 303) : refused(c, done.failure);
  });

/** Asks the ledger only where the conditions were understood; a bad reason does not take the plan away. */
async function planPage(c: Page, given: Fields, isAsked: boolean): Promise<Response> {
  const desk = c.get("desk");
  const { problems } = readReplayForm(given);
  const conditions = readReplayForm({ ...given, reason: undefined });
  const plan = isAsked && conditions.problems.length === 0 ? await planReplay(desk, conditions.order) : null;
  const props = { operator: c.get("operator"), order: conditions.order, given, plan, problems, sources: Object.keys(desk.sources) };
  return show(c, <ReplayNew {...props} />, problems.length === 0 ? 200 : 400);
}

async function replayPage(c: Page, refusal: Told | null): Promise<Response> {
  const id = c.req.param("id") ?? "";
  const run = await seeReplay(c.get("desk"), id);
  if (run === null) return notHere(c, refusalInWords({ reason: "unknown_replay", id }).detail);
  const flash = refusal === null ? flashText(c.req.query("done")) : null;
  return show(c, <Replay operator={c.get("operator")} run={run} flash={flash} refusal={refusal} />, refusal?.status ?? 200);
}

function refused(c: Page, refusal: OrderRefusal): Promise<Response> {
  return replayPage(c, refusalInWords(refusal));
}

type Fields = Readonly<Record<string, string | undefined>>;

/** Files are no fields of ours. */
function textsOf(body: Readonly<Record<string, unknown>>): Fields {
  return Object.fromEntries(Object.entries(body).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])));
}
