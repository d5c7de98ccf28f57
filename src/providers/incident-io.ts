/** incident.io: https://docs.incident.io/integrations/webhooks */
import { standardWebhooks } from "../schemes/standard-webhooks.ts";
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface IncidentIoOptions extends SourceOptions {
  /** incident.io sends through Svix, whose headers are `svix-*` unless they were renamed. */
  readonly headers?: "webhook" | "svix";
}

/** The type also names the field that holds the payload. Private incidents come as events of their own, with an id and nothing else. */
export function incidentIo<Data = unknown>({ headers = "webhook", ...options }: IncidentIoOptions = {}): Provider<Data> {
  return preset(
    {
      name: "incident-io",
      title: "incident.io",
      docs: "https://docs.incident.io/integrations/webhooks",
      scheme: standardWebhooks(headers),
      id: [header(`${headers}-id`)],
      type: [json("event_type")],
      hint: "{secret} is the signing secret of this endpoint (Settings, Webhooks), whsec_ and base64",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: 15,
        unverified: ["The three headers are named webhook-*, not svix-*.", "The answer is awaited for 15 s, as Svix documents it."],
      },
    },
    options,
  );
}

/** Its id and timestamp headers come with the signature. */
export const incidentIoSample: MakeSample = (type = "public_incident.incident_created_v2", { id, user, amount, reference }) => ({
  type,
  body: {
    event_type: type,
    [type]: {
      id: reference ?? id,
      reference: `INC-${amount}`,
      name: `sample ${id}`,
      creator: { user: { id: user, name: "Lisa Karlin Curtis" } },
      visibility: "public",
      created_at: "2026-01-01T00:00:00Z",
    },
  },
  headers: { "content-type": "application/json" },
});
