import { sign, verify } from "@octokit/webhooks-methods";
import { FORM_BODIES, jsonBodies } from "../bodies.ts";
import { accepts, flipBody, header, says, withHeaders, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

export default {
  provider: "github",
  package: "@octokit/webhooks-methods",
  secrets: sharedText(),
  sign: async (delivery, secret) =>
    withHeaders(delivery, {
      "x-github-delivery": delivery.id,
      "x-github-event": "push",
      "x-hub-signature-256": await sign(secret, delivery.body),
    }),
  verify: (request, secret) =>
    accepts(() => verify(secret, request.body, header(request, "x-hub-signature-256")), says(/secret, eventPayload & signature required/)),
  tamper: flipBody,
  bodies: [...jsonBodies({ action: "opened" }), ...FORM_BODIES],
  quirks: ["Throws a TypeError on an empty body and on a missing signature.", "Refuses hex in upper case."],
} satisfies Oracle;
