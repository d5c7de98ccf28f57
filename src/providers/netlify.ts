/** Netlify: https://docs.netlify.com/site-deploys/deploy-notifications/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/**
 * Deploy notifications and form submissions. Netlify sends no id: a deploy's own id is the same in each of its states, so the body's digest is it.
 * The token binds the body, but not a time.
 */
export function netlify<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "netlify",
      title: "Netlify",
      docs: "https://docs.netlify.com/site-deploys/deploy-notifications/",
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
      id: [digest()],
      type: [header("x-netlify-event"), json("state")],
      occurredAt: { from: json("updated_at"), unit: "iso" },
      hint: "{secret} is the JWS secret token of this notification; without one Netlify does not sign, and each notification has its own",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "The token's claims (iss is netlify, sha256 is the hex digest of the body, HS256): the page's section on it was read in others' words.",
          "The header X-Netlify-Event names the event; without it the type is the deploy's state.",
        ],
      },
    },
    options,
  );
}

export const netlifySample: MakeSample = (type = "deploy_created", { id, user, amount, reference }) => ({
  type,
  body: {
    id: reference ?? id,
    site_id: "fa4dd95a-994e-4f89-8a7a-2d9e9fc36a32",
    build_id: id,
    state: "ready",
    name: "my-site",
    url: "https://my-site.netlify.app",
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:01:00.000Z",
    user_id: user,
    error_message: null,
    branch: "main",
    context: "production",
    deploy_time: amount,
  },
  headers: { "content-type": "application/json", "x-netlify-event": type },
});
