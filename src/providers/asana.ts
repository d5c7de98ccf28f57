/** Asana: https://developers.asana.com/docs/webhooks-guide */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, joined, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/**
 * A delivery carries the events of some seconds, and none is a heartbeat (`events: []`). Neither it nor they have an id: the digest of their bytes is it.
 * Each webhook brings a secret of its own in its handshake, so each is a source of its own.
 */
export function asana<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "asana",
      title: "Asana",
      docs: "https://developers.asana.com/docs/webhooks-guide",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-hook-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [digest()],
      type: [],
      split: {
        items: ["events"],
        id: [digest()],
        type: [joined(json("resource.resource_type"), json("action"))],
        occurredAt: { from: json("created_at"), unit: "iso" },
      },
      handshakes: [{ kind: "post_secret", secret: header("x-hook-secret"), echo: "x-hook-secret" }],
      hint: "{secret} is the X-Hook-Secret of the handshake that happens while this webhook is created; another webhook has another one",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: 10,
        unverified: ["Asana waits 10 s, and sends the same bytes again when it tries again."],
      },
    },
    options,
  );
}

export const asanaSample: MakeSample = (type = "task.changed", { id, user, reference }) => {
  const [resource, action] = type.split(".");
  return {
    type,
    body: {
      events: [
        {
          user: { gid: user, resource_type: "user" },
          created_at: "2026-01-01T00:00:00.000Z",
          action,
          resource: { gid: reference ?? id, resource_type: resource, resource_subtype: "default_task" },
          parent: null,
          change: { field: "name", action: "changed" },
        },
      ],
    },
    headers: { "content-type": "application/json; charset=UTF-8" },
  };
};
