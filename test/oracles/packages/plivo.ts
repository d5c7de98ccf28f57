import { parse } from "node:querystring";
import plivo from "plivo";
import { FORM_BODIES } from "../bodies.ts";
import { flipBody, header, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

export default {
  provider: "plivo",
  package: "plivo",
  secrets: sharedText("", 40),
  sign: null,
  verify: async (request, authToken) =>
    plivo.validateV3Signature(
      request.method,
      request.url,
      header(request, "x-plivo-signature-v3-nonce"),
      authToken,
      header(request, "x-plivo-signature-v3"),
      { ...parse(request.body) },
    ),
  tamper: flipBody,
  bodies: FORM_BODIES,
  quirks: [
    "A POST with parameters and no query signs `URL?` and the parameters; with a query `URL?a=1&b=2.` and the parameters.",
    "The query is parsed, decoded and sorted before it is signed, names and repeated values alike; repeated values are not merged.",
    "Throws on any method but GET and POST.",
    "Of several signatures, joined by commas, any may match.",
  ],
} satisfies Oracle;
