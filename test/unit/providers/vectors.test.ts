/** Proof that neither side of ours made: vectors from specifications, providers' pages and their packages. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { only, outcomeOf, presetFiles } from "./presets.ts";

interface Vector {
  readonly what: string;
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly bodyBase64?: string;
  readonly method?: string;
  readonly url?: string;
  readonly nowMs: number;
  /** documented, sdk-generated, derived (from one of these), from-memory, or computed by an implementation that is not ours. */
  readonly origin: string;
  readonly source: string;
  /** What the provider's key server answers. */
  readonly served?: string;
  /** The preset's options that it is for. */
  readonly options?: object;
  /** `current`, or the reason of the rejection. */
  readonly outcome: string;
}

const FROM_OUTSIDE = ["documented", "sdk-generated", "derived"];

describe.each(presetFiles.map((file) => [file.name, file] as const))("%s", (name, file) => {
  const path = join(import.meta.dirname, `../../vectors/${name}.json`);
  const vectors = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as readonly Vector[]) : [];

  it("has vectors, at least one of them authentic, and one from outside if it says so", () => {
    expect(vectors.filter(({ outcome }) => outcome === "current").length).toBeGreaterThan(0);
    for (const { source } of vectors) expect(source).not.toMatch(/shared\//);
    if (file.make().facts.proof === "vector" && name !== "generic")
      expect(vectors.some(({ origin, outcome }) => outcome === "current" && FROM_OUTSIDE.includes(origin))).toBe(true);
  });

  it.each(vectors.map((vector) => [`${vector.what} (${vector.origin}: ${vector.source}): ${vector.outcome}`, vector] as const))(
    "%s",
    async (_, vector) => {
      const body = vector.bodyBase64 === undefined ? new TextEncoder().encode(vector.body ?? "") : Uint8Array.fromBase64(vector.bodyBase64);
      const request = { method: vector.method ?? "POST", url: vector.url ?? "https://hooks.example/webhooks/x", headers: vector.headers, body };
      expect(await outcomeOf(file.make(vector.options), request, only(vector.secret), vector.served ?? null, vector.nowMs)).toBe(vector.outcome);
    },
  );
});
