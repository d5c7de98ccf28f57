/** LaunchDarkly: https://launchdarkly.com/docs/home/infrastructure/webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, joined, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The payload is an entry of the audit log. The type is the resource's kind and the first action on it: `flag.updateOn`. */
export function launchdarkly<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "launchdarkly",
      title: "LaunchDarkly",
      docs: "https://launchdarkly.com/docs/home/infrastructure/webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-ld-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [json("_id")],
      type: [joined(json("kind"), json("accesses.0.action")), json("kind")],
      occurredAt: { from: json("date"), unit: "ms" },
      hint: "the webhook must have `Sign this webhook` on, and its Secret must be the text in {secret}",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: null,
        unverified: ["The signature is hex: the page on signing was read as far as the header's name, the rest in receivers of others."],
      },
    },
    options,
  );
}

export const launchdarklySample: MakeSample = (type = "flag.updateOn", { id, user, amount, reference }) => {
  const [kind = "flag", action = "updateOn"] = type.split(".");
  return {
    type,
    body: {
      _links: { self: { href: `/api/v2/auditlog/${id}`, type: "application/json" } },
      _id: id,
      date: 1_767_225_600_000,
      accesses: [{ action, resource: `proj/default:env/test:${kind}/${reference ?? "sample"}` }],
      kind,
      name: `sample ${amount}`,
      description: "",
      member: { _id: user, email: "user@example.com", role: "writer" },
      titleVerb: "turned on the flag",
    },
    headers: { "content-type": "application/json", "user-agent": "LaunchDarkly/1.0" },
  };
};
