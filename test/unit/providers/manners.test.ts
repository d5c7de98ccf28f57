/** What providers expect of a receiver: that it still takes their last retry, and answers what they take for a success. */
import { expect, it } from "vitest";
import { respond } from "../../../src/ingest/respond.ts";
import { registry } from "../../../src/providers/registry.ts";
import { keysOf, NOW_MS, only, outcomeOf, presetFiles, signedSample } from "./presets.ts";

it.each([
  ["zoom", 85 * 60],
  ["sendgrid", 86_400],
  ["discord", 600],
  ["airwallex", 3 * 86_400],
  ["mailgun", 8 * 3_600],
  ["mercado-pago", 4 * 86_400],
  ["customer-io", 7 * 86_400],
])("the last retry of %s, %i s after the first attempt, is fresh even with the first signature", async (name, seconds) => {
  const file = presetFiles.find((one) => one.name === name);
  if (file === undefined) throw new Error(`no preset ${name}`);
  const [keys] = await keysOf(file);
  const request = await signedSample(file, keys);
  expect(await outcomeOf(file.make(), request, only(keys.secret), keys.served, NOW_MS + seconds * 1_000)).toBe("current");
});

const EXACTLY_200 = ["docusign", "dropbox", "flutterwave", "linear", "monday", "paystack", "postmark", "vonage", "webflow", "zoom"];

it.each(EXACTLY_200)("%s, which sends anything again that is not 200, hears 200 for whatever was stored", (name) => {
  const provider = registry[name]?.preset() ?? null;
  for (const status of ["queued", "pending", "done", "requeued"] as const) expect(respond({ status, eventId: "a" }, provider).status).toBe(200);
});

it.each([
  ["hubspot", "5"],
  ["zendesk", "5"],
  ["stripe", null],
])("%s is told how long to wait if it does: %s", (name, seconds) => {
  const provider = registry[name]?.preset() ?? null;
  expect(respond({ status: "rejected", refusal: "too_busy" }, provider).headers.get("retry-after")).toBe(seconds);
});
