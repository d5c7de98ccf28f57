/** Netlify: https://docs.netlify.com/deploy/deploy-notifications/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compoundWith, digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Outgoing webhooks of deploys, in the JSON of a deploy. The token covers every byte of the body, and no time: a captured request stays authentic. */
export function netlify<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "netlify",
      title: "Netlify",
      docs: "https://docs.netlify.com/deploy/deploy-notifications/",
      scheme: {
        kind: "jwt",
        at: header("x-webhook-signature"),
        prefix: "",
        algorithms: ["HS256"],
        key: { secret: "utf8" },
        issuer: ["netlify"],
        audience: null,
        claims: {},
        body: { claim: "sha256", encoding: "hex" },
        url: null,
        time: null,
      },
      // There is no event id: which deploy, what happened to it, and how it was then. A deploy that is locked and unlocked again has other times.
      id: [
        compoundWith([json("id")], [header("x-netlify-event"), json("state"), json("updated_at"), json("published_at"), json("locked")]),
        digest(),
      ],
      type: [header("x-netlify-event"), json("state")],
      occurredAt: { from: json("updated_at"), unit: "iso" },
      hint: "{secret} is the JWS secret token of this notification (Project configuration, Notifications); one without a token is not signed, and each event is a notification of its own",
      facts: {
        proof: "vector",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "The page's part on signatures could not be read: the header, `iss` and `sha256` are from requests that public receivers recorded, one of them with its secret.",
          "Whether Netlify sends a notification again at all, and that it would be the same bytes.",
          "X-Netlify-Event, which is not signed, is the type: it was seen in recorded requests.",
        ],
      },
    },
    options,
  );
}

export const netlifySample: MakeSample = (type = "deploy_created", { id, user, amount, reference }) => ({
  type,
  body: {
    id,
    site_id: "fa4dd95a-994e-4f89-8a7a-2d9e9fc36a32",
    build_id: "5ebc34bf4fea0b01f02efa38",
    state: type === "deploy_failed" ? "error" : type === "deploy_building" ? "building" : "ready",
    name: "sample-site",
    url: "https://sample-site.example",
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:02:40.000Z",
    published_at: "2026-01-01T00:02:39.000Z",
    user_id: user,
    error_message: null,
    branch: "main",
    context: "production",
    locked: null,
    deploy_time: amount,
    title: reference ?? `sample ${id}`,
  },
  headers: { "content-type": "application/json", "x-netlify-event": type },
});
