import { ElevenLabsClient, ElevenLabsError } from "@elevenlabs/elevenlabs-js";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, header, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

const { webhooks } = new ElevenLabsClient({ apiKey: "oracle" });

export default {
  provider: "elevenlabs",
  package: "@elevenlabs/elevenlabs-js",
  secrets: sharedText("wsec_", 64),
  sign: null,
  verify: (request, secret) =>
    accepts(
      async () => webhooks.constructEvent(request.body, header(request, "elevenlabs-signature"), secret),
      (error) => error instanceof ElevenLabsError,
    ),
  tamper: flipBody,
  bodies: jsonBodies({ type: "post_call_transcription" }),
  quirks: [
    "Reads the clock: refuses what is older than 30 minutes, accepts any future time; a t that is no number has no age.",
    "Keeps only the first v0.",
    "Pinned to an early 2.x release: the later ones are 110 MB for the same twenty lines.",
  ],
} satisfies Oracle;
