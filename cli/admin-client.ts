/** The admin API of a running instance, typed by the Worker's own routes. Of the Worker only types come along: nothing of it runs here. */
import { hc } from "hono/client";
import type { AdminApi } from "../src/admin/api.ts";
import type { EventKey } from "../src/core/event.ts";

export type AdminClient = ReturnType<typeof hc<AdminApi>>;

/** Above the instance's own deadlines: whoever is silent for so long is not there. */
const ANSWER_MS = 60_000;

/** `operator`: whom the audit names; null: the token. */
export function adminClient(url: string, token: string, operator: string | null): AdminClient {
  const reached: typeof fetch = (input, init) =>
    fetch(input, { ...init, signal: init?.signal ?? AbortSignal.timeout(ANSWER_MS) }).catch((cause: unknown) => {
      throw new Error(`${url} does not answer: is it running, and is the address right?`, { cause });
    });
  const headers = { authorization: `Bearer ${token}`, ...(operator === null ? {} : { "holdfast-operator": operator }) };
  return hc<AdminApi>(`${url}/admin/api`, { headers, init: { redirect: "manual" }, fetch: reached });
}

/** The path's parts of an event: `hc` puts them in as they are, and an id may hold a slash. */
export function keyParam({ source, id }: EventKey): EventKey {
  return { source: encodeURIComponent(source), id: encodeURIComponent(id) };
}

/** What an answer that is not `ok` says, in one sentence: a problem's, or whatever stood in for the instance. */
export async function refusalOf(response: { readonly status: number; text(): Promise<string> }): Promise<string> {
  const text = await response.text();
  const { detail, error, title } = record(text);
  const told = [detail, error, title].find((one) => typeof one === "string");
  return `${response.status}: ${told ?? (text.slice(0, 300) || "no reason given")}`;
}

function record(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
