/** monday.com: https://developer.monday.com/apps/docs/authorization-header */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compoundWith, digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Board webhooks that an app has made: only those carry a token. It names this URL and says nothing about the body. */
export function monday<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "monday",
      title: "monday.com",
      docs: "https://developer.monday.com/apps/docs/authorization-header",
      scheme: {
        kind: "jwt",
        at: header("authorization"),
        prefix: "",
        algorithms: ["HS256"],
        key: { secret: "utf8" },
        issuer: null,
        audience: "url",
        claims: {},
        body: null,
        url: null,
        time: "iat",
      },
      // One change on a board triggers every subscription to it. A retry says `isRetry`.
      id: [compoundWith([json("event.triggerUuid")], [json("event.subscriptionId")]), digest("event.isRetry")],
      type: [json("event.type")],
      occurredAt: { from: json("event.triggerTime"), unit: "iso" },
      // "Anything other than a 200" is sent again, each minute for half an hour.
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      handshakes: [
        { kind: "post_echo", when: [{ at: json("challenge"), is: null }], challenge: json("challenge"), as: { field: "challenge" }, signed: false },
      ],
      hint: "{secret} is the app's Signing Secret on its Basic Information page; a webhook from a board's integrations page has no token, and cannot be received",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "That a retry repeats event.triggerUuid, and changes only event.isRetry.",
          "That the token is signed with HS256, and anew for each attempt.",
        ],
      },
    },
    options,
  );
}

/** https://developer.monday.com/api-reference/docs/webhooks */
export const mondaySample: MakeSample = (type = "create_pulse", { id, user, amount, reference }) => ({
  type,
  body: {
    event: {
      app: "monday",
      type,
      triggerTime: "2026-01-01T00:00:00.000Z",
      subscriptionId: 73_759_690,
      isRetry: false,
      userId: user,
      originalTriggerUuid: null,
      boardId: 1_771_812_698,
      pulseId: amount,
      pulseName: reference ?? id,
      groupId: "topics",
      columnValues: {},
      triggerUuid: id,
    },
  },
  headers: { "content-type": "application/json; charset=utf-8" },
});
