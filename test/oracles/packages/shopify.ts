// oxlint-disable-next-line import/no-unassigned-import -- it says which runtime this is, and exports nothing.
import "@shopify/shopify-api/adapters/web-api";
import { ApiVersion, LogSeverity, shopifyApi } from "@shopify/shopify-api";
import { jsonBodies } from "../bodies.ts";
import { flipBody, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

const shopify = (apiSecretKey: string) =>
  shopifyApi({
    apiKey: "oracle",
    apiSecretKey,
    apiVersion: ApiVersion.January26,
    hostName: "hooks.example.com",
    isEmbeddedApp: false,
    logger: { level: LogSeverity.Error },
  });

export default {
  provider: "shopify",
  package: "@shopify/shopify-api",
  secrets: sharedText("shpss_"),
  sign: null,
  verify: async (request, secret) => {
    const rawRequest = new Request(request.url, { method: request.method, headers: request.headers });
    const { valid } = await shopify(secret).webhooks.validate({ rawBody: request.body, rawRequest });
    return valid;
  },
  tamper: flipBody,
  bodies: jsonBodies({ id: 820982911946154500 }),
  quirks: [
    "Refuses a request without x-shopify-topic, -shop-domain, -api-version and -webhook-id, however well it is signed.",
    "A shopify-hmac-sha256 header makes it an Events delivery, and x-shopify-hmac-sha256 is then not looked at.",
    "Refuses an empty body.",
  ],
} satisfies Oracle;
