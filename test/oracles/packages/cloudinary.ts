import { v2 as cloudinary } from "cloudinary";
import { jsonBodies } from "../bodies.ts";
import { flipBody, header, seconds, withHeaders, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

export default {
  provider: "cloudinary",
  package: "cloudinary",
  secrets: sharedText("", 27),
  sign: async (delivery, secret) => {
    const timestamp = Number(seconds(delivery.timestampMs));
    return withHeaders(delivery, {
      "x-cld-signature": cloudinary.utils.webhook_signature(delivery.body, timestamp, { api_secret: secret }),
      "x-cld-timestamp": String(timestamp),
    });
  },
  verify: async (request, secret) => {
    // The verifier takes its secret from the package's global settings; nothing is awaited in between.
    cloudinary.config({ api_secret: secret });
    return cloudinary.utils.verifyNotificationSignature(request.body, Number(header(request, "x-cld-timestamp")), header(request, "x-cld-signature"));
  },
  tamper: flipBody,
  bodies: jsonBodies({ notification_type: "upload" }),
  quirks: [
    "A plain SHA-1 of body, time and secret; SHA-256 by a setting.",
    "Reads the clock: refuses what is older than 2 hours, accepts any future time; a time that is no number has no age.",
    "Compares hex text with ===: refuses upper case.",
  ],
} satisfies Oracle;
