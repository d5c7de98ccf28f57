/** The sources of a chaos run: their presets for test/chaos/worker.ts, their keys, and their signed requests. */
import { generic } from "../../src/providers/generic.ts";
import { github } from "../../src/providers/github.ts";
import type { Provider } from "../../src/providers/provider.ts";
import { standard } from "../../src/providers/standard.ts";
import { stripe } from "../../src/providers/stripe.ts";
import type { Signed } from "../../src/schemes/scheme.ts";
import { signed } from "../send/request.ts";
import { wrongKeys } from "../send/variant.ts";
import { newVars, signingKeys, type Vars } from "../source-keys.ts";
import { SOURCES, type ChaosSource, type PlannedEvent } from "./schedule.ts";

export const providers: Readonly<Record<ChaosSource, Provider>> = { generic: generic(), stripe: stripe(), github: github(), standard: standard() };

/** What the handlers read: the same place in every source's payload. */
export interface ChaosFact {
  readonly userId: string;
  readonly amount: number;
}

export async function newSecrets(): Promise<Readonly<Record<string, string>>> {
  return Object.assign({}, ...(await Promise.all(SOURCES.map((name) => newVars(name, providers[name], {}))))) as Readonly<Record<string, string>>;
}

/** The same bytes for every copy. */
export function bodyOf({ source, id, behaviour, userId, amount, paddingBytes }: PlannedEvent): Uint8Array {
  const fact: ChaosFact = { userId, amount };
  const own = source === "github" ? {} : { ...(source === "standard" ? {} : { id }), type: typeOf(behaviour) };
  return new TextEncoder().encode(JSON.stringify({ ...own, chaos: fact, padding: "x".repeat(paddingBytes) }));
}

export const typeOf = (behaviour: string): string => `chaos.${behaviour}`;

export async function requestOf(event: PlannedEvent, baseUrl: string, vars: Vars, nowMs: number): Promise<Signed> {
  const { source, id, behaviour } = event;
  const provider = providers[source];
  const github = source === "github" ? { "x-github-delivery": id, "x-github-event": typeOf(behaviour) } : {};
  const headers = { "content-type": "application/json", ...github };
  const outbound = { provider, sample: { headers }, body: bodyOf(event), id, url: `${baseUrl}/webhooks/${source}`, timestampMs: nowMs };
  const keys = behaviour === "forged" ? await wrongKeys(provider.scheme) : await signingKeys(source, provider, vars);
  return signed(outbound, keys);
}
