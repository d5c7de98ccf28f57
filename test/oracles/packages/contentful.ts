import { ExpiredRequestException, signRequest, verifyRequest, type CanonicalRequest } from "@contentful/node-apps-toolkit";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, withHeaders, type Oracle, type OracleRequest } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

const canonical = (request: OracleRequest): CanonicalRequest => ({
  method: request.method as CanonicalRequest["method"],
  path: request.url.replace(/^https?:\/\/[^/?#]*/, "") || "/",
  headers: { ...request.headers },
  body: request.body,
});

export default {
  provider: "contentful",
  package: "@contentful/node-apps-toolkit",
  secrets: sharedText("", 64),
  sign: async (delivery, secret) => {
    const headers = { "content-type": "application/vnd.contentful.management.v1+json", "x-contentful-topic": "ContentManagement.Entry.publish" };
    const signed = signRequest(secret, canonical(withHeaders(delivery, headers)), delivery.timestampMs);
    return withHeaders(delivery, { ...headers, ...signed });
  },
  verify: (request, secret) =>
    accepts(
      () => verifyRequest(secret, canonical(request)),
      (error) => error instanceof ExpiredRequestException || error.name === "ValidationError",
    ),
  tamper: flipBody,
  bodies: jsonBodies({ sys: { id: "s1", revision: 1 } }),
  quirks: [
    "Reads the clock: refuses what is older than 30 s, accepts any future time.",
    "Throws a ValidationError, rather than refuses, on headers that are missing or of another form.",
    "Demands a secret of 64 characters; it is used as text.",
    "Escapes the query twice: querystring.escape over all of it, then encodeURI, and drops what follows a second `?`.",
    "Headers are joined by `;` as `name:value`, both trimmed, so a value may imitate another header.",
    "Only headers that x-contentful-signed-headers lists are covered; its value is written anew, sorted, from those of them that are there.",
  ],
} satisfies Oracle;
