import { validateSignature } from "@line/bot-sdk";
import { flipBody, header, type Oracle } from "../oracle.ts";
import { sharedHex } from "../secrets.ts";

export default {
  provider: "line",
  package: "@line/bot-sdk",
  secrets: sharedHex(16),
  sign: null,
  verify: async (request, channelSecret) => validateSignature(request.body, channelSecret, header(request, "x-line-signature")),
  tamper: flipBody,
  bodies: [
    '{"destination":"U1","events":[]}',
    '{"destination":"U1","events":[{"type":"message","webhookEventId":"01H","message":{"type":"text","text":"こんにちは 😀"}}]}',
    '{"destination":"U1","events":[{"type":"message","message":{"text":"\\u3053\\ud83d\\ude00 a\\/b\\r\\n"}}]}\r\n',
  ],
  quirks: [
    "The secret looks like hex and is used as text.",
    "Compares decoded base64: unpadded, base64url, and a good signature with rubbish after it pass.",
  ],
} satisfies Oracle;
