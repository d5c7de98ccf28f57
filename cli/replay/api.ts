/** What a replay of many asks a running instance. Each refusal throws, in the instance's own words. */
import type { EventSummary, ReplayPlan, ReplayRunView } from "../../src/core/operators.ts";
import { type AdminClient, refusalOf } from "../admin-client.ts";
import { kindsOf, type SeenKinds } from "./kinds.ts";
import { type GroupOrder, listsOf } from "./order.ts";

/** Without its filter, which whoever asks has given. */
export type RunView = Omit<ReplayRunView, "filter">;

/** Read to group them by kind: enough to see what is broken. */
const EVENTS_LOOKED_AT = 2_000;
const PAGE = 200;
/** Whoever presses Ctrl-C does not wait for longer. */
const CANCEL_MS = 10_000;

export async function planRun(client: AdminClient, order: GroupOrder): Promise<ReplayPlan> {
  const answer = await client.replays.$post({ json: { ...order, dryRun: true } });
  if (!answer.ok) throw new Error(`not planned, ${await refusalOf(answer)}`);
  const body = await answer.json();
  if (!("plan" in body)) throw new Error("the instance answered a dry run with a replay: it is of another version");
  return body.plan;
}

export async function startRun(client: AdminClient, order: GroupOrder): Promise<RunView> {
  const answer = await client.replays.$post({ json: { ...order, dryRun: false } });
  if (!answer.ok) throw new Error(`not begun, ${await refusalOf(answer)}`);
  const body = await answer.json();
  if ("plan" in body) throw new Error("the instance answered a replay with a dry run: it is of another version");
  return body;
}

export async function readRun(client: AdminClient, id: string): Promise<RunView> {
  const answer = await client.replays[":id"].$get({ param: { id } });
  if (!answer.ok) throw new Error(await refusalOf(answer));
  return answer.json();
}

/** As it stands then: one that has ended already is no failure. */
export async function cancelRun(client: AdminClient, id: string): Promise<RunView> {
  const init: RequestInit = { redirect: "manual", signal: AbortSignal.timeout(CANCEL_MS) };
  const answer = await client.replays[":id"].cancel.$post({ param: { id } }, { init });
  if (answer.ok) return answer.json();
  if (answer.status === 409) return readRun(client, id);
  throw new Error(await refusalOf(answer));
}

/** The newest of what the order means, by kind. */
export async function readKinds(client: AdminClient, { filter }: GroupOrder): Promise<SeenKinds> {
  const events: EventSummary[] = [];
  let isAll = true;
  for (const list of listsOf(filter)) {
    let cursor: string | null = null;
    do {
      const query: typeof list & { limit: number; cursor?: string } = { ...list, limit: PAGE, ...(cursor === null ? {} : { cursor }) };
      const answer = await client.events.$get({ query });
      if (!answer.ok) throw new Error(await refusalOf(answer));
      const page: { readonly events: readonly EventSummary[]; readonly next: string | null } = await answer.json();
      events.push(...page.events);
      cursor = page.next;
    } while (cursor !== null && events.length < EVENTS_LOOKED_AT);
    isAll &&= cursor === null;
  }
  return { kinds: kindsOf(events), isAll };
}
