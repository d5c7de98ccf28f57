/** docs/providers.md says what the presets are, today. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { providersPage } from "../../../cli/docs/providers-page.ts";
import { custom, type Provider } from "../../../src/providers/provider.ts";
import { compoundWith, digest, form, header, json } from "../../../src/providers/readers.ts";
import { registry } from "../../../src/providers/registry.ts";
import { stripe } from "../../../src/providers/stripe.ts";

const presets = Object.values(registry).map(({ preset }) => preset());
const rowOf = (provider: Provider): readonly string[] =>
  (
    providersPage([provider])
      .split("\n")
      .find((line) => line.startsWith("| [")) ?? ""
  )
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
    .slice(1, -1);

it("is up to date", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/providers.md"), "utf8");
  expect(page, "docs/providers.md is stale: run `npm run generate -- --docs`").toBe(providersPage(presets));
});

it("has one row for each preset, and its counts add up", () => {
  const page = providersPage(presets);
  expect(page.split("\n").filter((line) => line.startsWith("| ["))).toHaveLength(presets.length);
  const [, all, vector, official, documentation] = /(\d+) presets\. (\d+) agree .* and (\d+) with .*; (\d+) were/.exec(page)?.map(Number) ?? [];
  expect(all).toBe(presets.length);
  expect((vector ?? 0) + (official ?? 0) + (documentation ?? 0)).toBe(all);
});

describe("a row", () => {
  const facts = { proof: "documentation", checked: "2026-01-02", sameIdOnRetry: null, ackSeconds: null, unverified: [] } as const;
  const page = {
    name: "own",
    title: "Own",
    docs: "https://own.example",
    scheme: {
      kind: "hmac",
      hash: "SHA-512",
      key: "utf8",
      signature: { at: [header("x-sig")], form: "plain", prefix: "", encoding: "base64" },
      message: [{ id: "x-id" }, { literal: "." }, "timestamp", { literal: "." }, "body"],
      timestamp: { at: header("x-time"), unit: "s" },
    },
    id: [header("x-id")],
    type: [],
    facts,
  } as const;

  it("reads like the provider's page", () => {
    expect(rowOf(stripe())).toEqual([
      "[Stripe](https://docs.stripe.com/webhooks)",
      "header `stripe-signature`: HMAC-SHA256, hex, over time, body",
      "body `id`",
      "yes",
      "yes",
      "one",
      "",
      "",
      expect.stringMatching(/^official package, \d{4}-\d{2}-\d{2}$/) as string,
    ]);
    expect(rowOf(custom(page)).slice(1, 5)).toEqual(["header `x-sig`: HMAC-SHA512, base64, over id, time, body", "header `x-id`", "yes", "?"]);
  });

  it("says when the id is not signed, and when only one of several is", () => {
    expect(rowOf(custom({ ...page, id: [header("x-other")] }))[3]).toBe("no");
    expect(rowOf(custom({ ...page, id: [header("x-other"), json("id")] }))[3]).toBe("partly");
    expect(rowOf(custom({ ...page, scheme: { kind: "token", at: header("authorization"), prefix: "Bearer " } })).slice(1, 4)).toEqual([
      "header `authorization`: fixed token after `Bearer`",
      "header `x-id`",
      "no",
    ]);
  });

  it("has the events' own id where a delivery is split, a digest's exceptions, and no more of a long name than a table takes", () => {
    const split = { items: ["data"], id: [json("uid")], type: [], occurredAt: null };
    expect(rowOf(custom({ ...page, split }))[2]).toBe("body `uid`");
    expect(rowOf(custom({ ...page, split }))[5]).toBe("split: `data`");
    expect(rowOf(custom({ ...page, split: { ...split, items: [] } }))[5]).toBe("split");
    expect(rowOf(custom({ ...page, id: [digest("a.b", "c")] }))[2]).toBe("digest without `a.b`, `c`");
    expect(rowOf(custom({ ...page, id: [compoundWith([json("a"), header("b"), header("c")], [json("d"), form("e")])] }))[2]).toBe(
      "body `a` + header `b` + `c` + 2 more",
    );
  });

  it("tells handshake, answer and deadline", () => {
    const answered = custom({
      ...page,
      acknowledgement: { status: 200, body: "a|b", contentType: "text/plain" },
      handshakes: [{ kind: "post_secret", secret: json("s"), echo: null }],
      facts: { ...facts, ackSeconds: 3, sameIdOnRetry: false },
    });
    expect(rowOf(answered).slice(4)).toEqual(["no", "one", "POST that brings the secret", "200 `a\\|b`, within 3 s", "documentation, 2026-01-02"]);
  });
});

it("lists what could not be verified, as text that Markdown leaves alone", () => {
  const [line] = providersPage([
    custom({
      ...custom({ name: "own", scheme: stripe().scheme, id: [], type: [] }),
      title: "Own",
      facts: { ...stripe().facts, unverified: ["The headers are webhook-*, not `a_b`, and an id is evt_..., so it seems."] },
    }),
  ])
    .split("\n")
    .filter((one) => one.startsWith("- The headers"));
  expect(line).toBe("- The headers are `webhook-*`, not `a_b`, and an id is `evt_...`, so it seems.");
});
