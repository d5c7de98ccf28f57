/** `#app` of the tests that run every preset: each is a source of its own name, beside one that is no preset, and every event is taken. */
import { defineSources, onFor, type Provider, type Route } from "#holdfast";
import { custom } from "../../src/providers/provider.ts";
import { header, joined, json } from "../../src/providers/readers.ts";
import { registry } from "../../src/providers/registry.ts";

/** Written as docs/custom-providers.md says. `deliver` makes a payload of just what it reads. */
const ours = custom({
  name: "ours",
  scheme: {
    kind: "hmac",
    hash: "SHA-512",
    key: "hex",
    signature: { at: [header("x-ours-signature")], form: "plain", prefix: "v0=", encoding: "base64url" },
    message: ["url", header("x-ours-nonce"), "timestamp", "body"],
    timestamp: { at: header("x-ours-time"), unit: "ms" },
  },
  id: [json("meta.uid")],
  type: [joined(header("x-ours-object"), json("meta.action"))],
});

export const sources: Readonly<Record<string, Provider>> = defineSources({
  ...Object.fromEntries(Object.entries(registry).map(([name, { preset }]) => [name, preset()])),
  "no-preset": ours,
});
export const on = onFor(sources);

export const handlers: readonly Route[] = Object.keys(sources).map((name) => on(name, "*", async () => undefined));
