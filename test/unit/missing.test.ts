/** What a source still needs, said before anybody posts to it. */
import { describe, expect, it } from "vitest";
import { missingFor } from "../../src/missing.ts";
import { meta } from "../../src/providers/meta.ts";
import { notion } from "../../src/providers/notion.ts";
import { square } from "../../src/providers/square.ts";
import { stripe } from "../../src/providers/stripe.ts";
import type { Config } from "../../src/config.ts";

const config = (over: { secret?: string; next?: string; verifyToken?: string; publicBaseUrl?: string } = {}): Config =>
  ({
    secretsOf: () => ({ current: over.secret ?? null, next: over.next ?? null }),
    verifyTokenOf: () => over.verifyToken ?? null,
    publicBaseUrl: over.publicBaseUrl ?? null,
  }) as unknown as Config;

const variables = (...args: Parameters<typeof missingFor>) => missingFor(...args).map(({ variable, refuses }) => [variable, refuses]);

describe("deployed", () => {
  it("a secret, under the source's own name; either of the two is one", () => {
    expect(variables("stripe-eu", stripe(), config(), false)).toEqual([["STRIPE_EU_WEBHOOK_SECRET", true]]);
    expect(variables("stripe-eu", stripe(), config({ secret: "s" }), false)).toEqual([]);
    expect(variables("stripe-eu", stripe(), config({ next: "s" }), false)).toEqual([]);
  });

  it("the public URL, where the signature covers it", () => {
    expect(variables("square", square(), config({ secret: "s" }), false)).toEqual([["PUBLIC_BASE_URL", true]]);
    expect(variables("square", square(), config({ secret: "s", publicBaseUrl: "https://hooks.example" }), false)).toEqual([]);
  });

  it("the verify token, without which events are taken but the endpoint cannot be registered", () => {
    expect(variables("meta", meta(), config({ secret: "s" }), false)).toEqual([["META_WEBHOOK_VERIFY_TOKEN", false]]);
    expect(variables("meta", meta(), config({ secret: "s", verifyToken: "t" }), false)).toEqual([]);
  });

  it("says where a secret comes from that the provider hands over", () => {
    expect(missingFor("notion", notion(), config(), false)[0]?.hint).toContain("GET /admin/api/sources/notion/handshakes");
  });
});

it("on a laptop the request's own URL stands in for the public one", () => {
  expect(variables("square", square(), config({ secret: "s" }), true)).toEqual([]);
});
