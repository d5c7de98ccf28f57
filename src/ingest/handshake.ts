/** Answers a provider that asks whether this endpoint is ours, from the preset's data. Creates nothing; null: this is no handshake. */
import type { Condition, Handshake, Provider } from "../providers/provider.ts";
import { JsonBody, read } from "../providers/readers.ts";
import { isSameText } from "../schemes/compare.ts";
import { acknowledge, respond } from "./respond.ts";

/** An echo reflects what anybody sent: challenges are short. */
const CHALLENGE_LIMIT_CHARACTERS = 1_024;
/** Before the signature is checked, nothing larger is parsed; no provider's handshake comes near. */
const HANDSHAKE_BODY_LIMIT_BYTES = 16 * 1_024;

const HEADERS = { "holdfast-status": "handshake" } as const;

/** A GET. `verifyToken`: the source's, or null where none is configured; then a handshake that needs one is refused. */
export async function answerGet(provider: Provider, url: URL, verifyToken: string | null): Promise<Response | null> {
  for (const handshake of provider.handshakes) {
    if (handshake.kind !== "get_echo") continue;
    const challenge = url.searchParams.get(handshake.param);
    if (!isChallenge(challenge) || !Object.entries(handshake.where).every(([name, value]) => url.searchParams.get(name) === value)) continue;
    if (handshake.tokenParam !== null) {
      const sent = url.searchParams.get(handshake.tokenParam) ?? "";
      if (verifyToken === null || !(await isSameText(sent, verifyToken)))
        return respond({ status: "rejected", refusal: "verify_token_mismatch" }, null);
    }
    return echoText(challenge);
  }
  return null;
}

/** A POST: once before the signature is checked, and once after, for the handshakes that want it verified first. */
export function answerPost(provider: Provider, headers: Headers, bytes: Uint8Array, isVerified: boolean): Response | null {
  if (provider.handshakes.length === 0 || bytes.length > HANDSHAKE_BODY_LIMIT_BYTES) return null;
  const body = new JsonBody(bytes);
  for (const handshake of provider.handshakes) {
    if (handshake.kind === "get_echo" || handshake.signed !== isVerified || !holds(handshake.when, headers, body)) continue;
    const answer = answerOf(handshake, body);
    if (answer !== null) return answer;
  }
  return null;
}

function answerOf(handshake: Exclude<Handshake, { readonly kind: "get_echo" }>, body: JsonBody): Response | null {
  switch (handshake.kind) {
    case "post_constant":
      return acknowledge(handshake.answer, HEADERS);
    case "post_echo": {
      const challenge = body.textAt(handshake.field);
      if (!isChallenge(challenge)) return null;
      return handshake.as === "text" ? echoText(challenge) : echoJson(handshake.as.field, challenge);
    }
  }
}

function holds({ at, is }: Condition, headers: Headers, body: JsonBody): boolean {
  const text = read(at, headers, body);
  return text !== null && (is === null || text === is);
}

function isChallenge(text: string | null): text is string {
  return text !== null && text !== "" && text.length <= CHALLENGE_LIMIT_CHARACTERS;
}

/** Plain text that no browser takes for a page: the echo is in the sender's words. */
function echoText(challenge: string): Response {
  return acknowledge({ status: 200, body: challenge, contentType: "text/plain; charset=utf-8" }, HEADERS);
}

function echoJson(field: string, challenge: string): Response {
  return acknowledge({ status: 200, body: JSON.stringify({ [field]: challenge }), contentType: "application/json" }, HEADERS);
}
