import { InvalidWebhookSignatureError, WebhookSignatureValidator } from "mercadopago";
import { jsonBodies } from "../bodies.ts";
import { accepts, header, type Oracle } from "../oracle.ts";
import { sharedHex } from "../secrets.ts";

export default {
  provider: "mercado-pago",
  package: "mercadopago",
  secrets: sharedHex(32),
  sign: null,
  verify: (request, secret) =>
    accepts(
      () =>
        WebhookSignatureValidator.validate({
          xSignature: header(request, "x-signature"),
          xRequestId: header(request, "x-request-id"),
          dataId: new URL(request.url).searchParams.get("data.id"),
          secret,
        }),
      (error) => error instanceof InvalidWebhookSignatureError,
    ),
  /** The body is not covered; data.id of the URL is. */
  tamper: (request) => {
    const url = new URL(request.url);
    url.searchParams.set("data.id", `${url.searchParams.get("data.id") ?? ""}0`);
    return { ...request, url: url.href };
  },
  bodies: jsonBodies({ id: 1, type: "payment", action: "payment.updated", data: { id: "123456" } }),
  quirks: [
    "The signature covers data.id of the URL, x-request-id and ts: not the body.",
    "Leaves a missing part out of the message, and keeps the case of data.id, which the documentation lowers.",
    "Reads the clock only if given a tolerance, both ways, and takes ts for seconds.",
    "Refuses hex in upper case.",
  ],
} satisfies Oracle;
