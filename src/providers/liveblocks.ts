/** Liveblocks: https://liveblocks.io/docs/platform/webhooks */
import { standardWebhooks } from "../schemes/standard-webhooks.ts";
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function liveblocks<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "liveblocks",
      title: "Liveblocks",
      docs: "https://liveblocks.io/docs/platform/webhooks",
      scheme: standardWebhooks("webhook"),
      id: [header("webhook-id")],
      type: [json("type")],
      hint: "{secret} is the signing secret of the endpoint in the Liveblocks dashboard, whsec_ and base64",
      facts: {
        proof: "package",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["That a retry repeats webhook-id, as Standard Webhooks says."],
      },
    },
    options,
  );
}

export const liveblocksSample: MakeSample = (type = "userEntered", { id, user, amount, reference }) => ({
  type,
  body: {
    type,
    data: {
      projectId: "605a4fd31a36d5ea7a2e0914",
      roomId: reference ?? id,
      connectionId: amount,
      userId: user,
      enteredAt: "2026-01-01T00:00:00.000Z",
      numActiveUsers: 1,
    },
  },
  headers: { "content-type": "application/json" },
});
