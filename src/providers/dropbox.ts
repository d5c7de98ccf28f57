/** Dropbox: https://www.dropbox.com/developers/reference/webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { eachDelivery, firstField, header, query } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/**
 * A notification says which accounts changed, not what or when: two changes have the same bytes. Each delivery is therefore an event of its own, and
 * "once" means once for each notification that was acknowledged. Dropbox sends one again that was not: let the handler ask
 * `/files/list_folder/continue` from the cursor that it keeps for the account, and it has nothing to do the second time.
 */
export function dropbox<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "dropbox",
      title: "Dropbox",
      docs: "https://www.dropbox.com/developers/reference/webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-dropbox-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [eachDelivery()],
      // `list_folder`; `delta` stands beside it, for the first API.
      type: [firstField("", "delta")],
      handshakes: [{ kind: "get_echo", challenge: query("challenge"), where: {}, tokenParam: null, as: "text" }],
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the App secret on the app's Settings page of the App Console, not an access token",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: false,
        ackSeconds: 10,
        unverified: [
          "That nothing in a request tells one notification from the next, or a retry from its first attempt.",
          "That the signature is written in hex: from Dropbox's own example, which compares a hex digest.",
        ],
      },
    },
    options,
  );
}

/** With what the edge would add: two sendings of one sample are one. */
export const dropboxSample: MakeSample = (type = "list_folder", { id, user, amount, reference }) => ({
  type,
  body: {
    [type]: { accounts: [`dbid:${user}`] },
    delta: { users: [amount] },
    sample: { id, reference: reference ?? id },
  },
  headers: { "content-type": "application/json", "user-agent": "DropboxWebhooks/1.0", "cf-ray": id },
});
