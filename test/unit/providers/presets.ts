/** Every preset in the folder, found by its file: `lemon-squeezy.ts` exports `lemonSqueezy` and `lemonSqueezySample`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Delivery } from "../../../src/core/delivery.ts";
import { ok } from "../../../src/core/result.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import { sampleBytes, type MakeSample, type SampleOptions } from "../../../src/providers/sample.ts";
import { newKeys, sign, verify, type Circumstances, type NewKeys, type Secrets, type Signed } from "../../../src/schemes/scheme.ts";

const FOLDER = join(import.meta.dirname, "../../../src/providers");
/** What is no preset. */
export const PARTS = ["conditions.ts", "explain.ts", "identify.ts", "items.ts", "provider.ts", "readers.ts", "registry.ts", "sample.ts"];

export interface PresetFile {
  readonly name: string;
  readonly text: string;
  /** With its usual options, or those of a vector. */
  readonly make: (options?: object) => Provider;
  readonly sample: MakeSample;
}

const camel = (name: string): string => name.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const files = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".ts") && !PARTS.includes(file))
  .toSorted();

const loaded = await Promise.all(
  files.map(async (file): Promise<PresetFile | null> => {
    const name = file.slice(0, -".ts".length);
    const module = (await import(join(FOLDER, file))) as Readonly<Record<string, unknown>>;
    const make = module[camel(name)];
    const sample = module[`${camel(name)}Sample`];
    if (typeof make !== "function" || typeof sample !== "function") return null;
    return { name, text: readFileSync(join(FOLDER, file), "utf8"), make: make as (options?: object) => Provider, sample: sample as MakeSample };
  }),
);

export const presetFiles: readonly PresetFile[] = loaded.filter((file) => file !== null);

/** Files that do not export what their name promises. */
export const misnamed: readonly string[] = files.filter((_, at) => loaded[at] === null);

export const NOW_MS = 1_767_225_600_000;
export const TOLERANCE_MS = 300_000;
export const OPTIONS: SampleOptions = { id: "evt_42", user: "u_1", amount: 1_250, reference: "order-7" };

export function circumstances(served: string | null, nowMs = NOW_MS, toleranceMs = TOLERANCE_MS): Circumstances {
  return {
    nowMs,
    toleranceMs,
    fetchKey: async ({ url }) => (served === null ? { ok: false, failure: { reason: "key_unavailable", host: new URL(url).hostname } } : ok(served)),
  };
}

export const only = (current: string): Secrets => ({ current, next: null });

/** `current`, `next`, or the reason of the rejection. */
export async function outcomeOf(provider: Provider, request: Signed, secrets: Secrets, served: string | null, nowMs = NOW_MS): Promise<string> {
  const toleranceMs = provider.maxAgeSeconds === undefined ? TOLERANCE_MS : provider.maxAgeSeconds * 1_000;
  const result = await verify(provider.scheme, deliveryOf(request), secrets, circumstances(served, nowMs, toleranceMs));
  return result.ok ? result.value.matched : result.failure.reason;
}

export const deliveryOf = (request: Signed): Delivery => new Delivery({ ...request, headers: new Headers(request.headers) });

/** The provider's sample, signed. */
export async function signedSample(
  { make, sample }: Pick<PresetFile, "make" | "sample">,
  keys: NewKeys,
  options: SampleOptions = OPTIONS,
  timestampMs = NOW_MS,
): Promise<Signed> {
  const made = sample(undefined, options);
  const url = `https://hooks.example/webhooks/x${made.query ?? ""}`;
  return sign(make().scheme, { method: "POST", url, headers: made.headers, body: sampleBytes(made), id: options.id, timestampMs }, keys);
}

/** Keys are slow to make: one pair of pairs for each preset. */
const made = new Map<string, Promise<readonly [NewKeys, NewKeys]>>();

export function keysOf({ name, make }: Pick<PresetFile, "name" | "make">): Promise<readonly [NewKeys, NewKeys]> {
  const before = made.get(name);
  if (before !== undefined) return before;
  const { scheme } = make();
  const pair = Promise.all([newKeys(scheme), newKeys(scheme)]);
  made.set(name, pair);
  return pair;
}
