/** Asks a running instance for an event by its id, in every source. */
import type { EventStory } from "../../src/core/operators.ts";
import { type AdminClient, keyParam, refusalOf } from "../admin-client.ts";

export type Found =
  | { readonly kind: "story"; readonly story: EventStory }
  /** Sources in which the id is known; empty: none. `why`: what the instance says of it. */
  | { readonly kind: "none"; readonly why: string }
  | { readonly kind: "several"; readonly sources: readonly string[] };

/** Ids are unique in a source only. Throws where the instance refuses. */
export async function findStory(client: AdminClient, id: string, source: string | null): Promise<Found> {
  if (source !== null) return storyOf(client, source, id);
  const answer = await client.events.$get({ query: { prefix: id, limit: 200 } });
  if (!answer.ok) throw new Error(await refusalOf(answer));
  const { events } = await answer.json();
  const sources = [...new Set(events.filter((event) => event.id === id).map((event) => event.source))];
  const [only] = sources;
  if (only === undefined) return { kind: "none", why: `no source's ledger has an event ${JSON.stringify(id)}: with --source its claim is asked too` };
  return sources.length > 1 ? { kind: "several", sources } : storyOf(client, only, id);
}

async function storyOf(client: AdminClient, source: string, id: string): Promise<Found> {
  const answer = await client.events[":source"][":id"].$get({ param: keyParam({ source, id }) });
  if (answer.status === 404) return { kind: "none", why: await refusalOf(answer) };
  if (!answer.ok) throw new Error(await refusalOf(answer));
  return { kind: "story", story: await answer.json() };
}

/** null: the ledger has none any more. */
export async function payloadOf(client: AdminClient, source: string, id: string): Promise<Uint8Array | null> {
  const answer = await client.events[":source"][":id"].payload.$get({ param: keyParam({ source, id }) });
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(await refusalOf(answer));
  return new Uint8Array(await answer.arrayBuffer());
}
