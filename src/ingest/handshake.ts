/** Answers a provider that asks whether this endpoint is ours, from the preset's data. Creates nothing; null: this is no handshake. */
import type { Delivery } from "../core/delivery.ts";
import { HANDSHAKE_SECRET_LIMIT_CHARACTERS } from "../core/limits.ts";
import { holds } from "../providers/conditions.ts";
import type { Acknowledgement, Echo, Handshake, ProofEcho, Provider } from "../providers/provider.ts";
import type { Refusal, Secrets } from "../core/reasons.ts";
import { isSameText } from "../schemes/compare.ts";
import { splitSecret } from "../schemes/key.ts";
import { isChallengeFor, proofOf, type ProofRules } from "../schemes/prove.ts";
import { isAllowedUrl } from "../schemes/rsa.ts";
import { messageOf } from "../schemes/scheme.ts";
import { flatten, readerOf } from "../schemes/template.ts";
import { allowedSender } from "./allow-sender.ts";
import { acknowledge, respond } from "./respond.ts";

/** An echo reflects what anybody sent: challenges are short. */
const CHALLENGE_LIMIT_CHARACTERS = 1_024;
/** Before the signature is checked, nothing larger is parsed; no provider's handshake comes near. */
const HANDSHAKE_BODY_LIMIT_BYTES = 16 * 1_024;

const HEADERS = { "holdfast-status": "handshake" } as const;
const EMPTY: Acknowledgement = { status: 200, body: "", contentType: "text/plain; charset=utf-8" };

/** What the source has, and what a handshake may do to the world. */
export interface HandshakeMeans {
  readonly secrets: Secrets;
  /** null where none is configured; then a handshake that needs one is refused. */
  readonly verifyToken: string | null;
  /** Fetches a subscription's confirmation URL; whether it went well. */
  confirm(url: string): Promise<boolean>;
  /** Keeps a secret that the provider hands over, for an operator to read. `full`: too many came lately. */
  keepSecret(secret: string): Promise<"kept" | "full" | "failed">;
}

/** Why a handshake was refused, for the log. */
export type HandshakeRefusal =
  | "verify_token_mismatch"
  | "url_not_allowed"
  | "confirmation_failed"
  | "secret_not_kept"
  | "handshakes_full"
  | "source_not_configured";

export interface HandshakeAnswer {
  readonly response: Response;
  /** null: it was answered as the provider wants it. */
  readonly refusal: HandshakeRefusal | null;
  /** Whom it allowed to deliver. */
  readonly hint?: string;
}

const answered = (response: Response): HandshakeAnswer => ({ response, refusal: null });
const refused = (refusal: HandshakeRefusal, outcome: Refusal): HandshakeAnswer => ({
  response: respond({ status: "rejected", refusal: outcome }, null),
  refusal,
});

/** A GET, or an OPTIONS. */
export async function answerGet(provider: Provider, delivery: Delivery, means: HandshakeMeans): Promise<HandshakeAnswer | null> {
  for (const handshake of provider.handshakes) {
    if (handshake.kind === "options_cloudevents" && delivery.method === "OPTIONS") {
      const answer = allowSender(delivery.headers, means.secrets);
      if (answer !== null) return answer;
    }
    if (delivery.method === "OPTIONS" || (handshake.kind !== "get_echo" && handshake.kind !== "get_hmac")) continue;
    const challenge = delivery.read(handshake.challenge);
    if (!isChallenge(challenge)) continue;
    if (handshake.kind === "get_hmac") {
      const answer = await proof(handshake.proof, handshake.as, challenge, means.secrets);
      if (answer !== null) return answer;
      continue;
    }
    if (!Object.entries(handshake.where).every(([name, value]) => delivery.query.get(name) === value)) continue;
    if (handshake.tokenParam !== null) {
      const sent = delivery.query.get(handshake.tokenParam) ?? "";
      if (means.verifyToken === null || !(await isSameText(sent, means.verifyToken)))
        return refused("verify_token_mismatch", "verify_token_mismatch");
    }
    return answered(echo(handshake.as, challenge));
  }
  return null;
}

type PostHandshake = Exclude<Handshake, { readonly kind: "get_echo" | "get_hmac" | "options_cloudevents" }>;

/** A POST: once before the signature is checked, and once after, for the handshakes that want it verified first. */
export async function answerPost(
  provider: Provider,
  delivery: Delivery,
  isVerified: boolean,
  means: HandshakeMeans,
): Promise<HandshakeAnswer | null> {
  if (provider.handshakes.length === 0 || delivery.body.length > HANDSHAKE_BODY_LIMIT_BYTES) return null;
  for (const handshake of provider.handshakes) {
    if (!isPost(handshake) || isSigned(handshake) !== isVerified) continue;
    if ("when" in handshake && !holds(handshake.when, delivery)) continue;
    const answer = await answerOf(handshake, delivery, means);
    if (answer !== null) return answer;
  }
  return null;
}

const isPost = (handshake: Handshake): handshake is PostHandshake => handshake.kind.startsWith("post_");

function isSigned(handshake: PostHandshake): boolean {
  return handshake.kind === "post_confirm" || (handshake.kind !== "post_secret" && handshake.signed);
}

async function answerOf(handshake: PostHandshake, delivery: Delivery, means: HandshakeMeans): Promise<HandshakeAnswer | null> {
  switch (handshake.kind) {
    case "post_constant":
      return answered(acknowledge(handshake.answer, HEADERS));
    case "post_echo": {
      const challenge = delivery.read(handshake.challenge);
      return isChallenge(challenge) ? answered(echo(handshake.as, challenge)) : null;
    }
    case "post_hmac": {
      const challenge = delivery.read(handshake.challenge);
      return isChallenge(challenge) ? proof(handshake.proof, handshake.as, challenge, means.secrets) : null;
    }
    case "post_confirm": {
      const url = delivery.read(handshake.url) ?? "";
      const secrets = [means.secrets.current, means.secrets.next].filter((secret) => secret !== null);
      if (!secrets.some((secret) => isAllowedUrl(url, handshake.allow, secret))) return refused("url_not_allowed", "invalid_signature");
      return (await means.confirm(url)) ? answered(acknowledge(EMPTY, HEADERS)) : refused("confirmation_failed", "temporarily_unavailable");
    }
    case "post_secret": {
      const secret = delivery.read(handshake.secret);
      if (means.secrets.current !== null || means.secrets.next !== null || !isSecret(secret)) return null;
      const kept = await means.keepSecret(secret);
      if (kept === "full") return refused("handshakes_full", "too_busy");
      if (kept === "failed") return refused("secret_not_kept", "temporarily_unavailable");
      return answered(acknowledge(EMPTY, handshake.echo === null ? HEADERS : { ...HEADERS, [handshake.echo]: secret }));
    }
  }
}

function isChallenge(text: string | null): text is string {
  return text !== null && text !== "" && text.length <= CHALLENGE_LIMIT_CHARACTERS;
}

/** Printable ASCII: what goes back in a header, and what an operator can paste into a variable. */
function isSecret(text: string | null): text is string {
  return text !== null && text.length <= HANDSHAKE_SECRET_LIMIT_CHARACTERS && /^[!-~]+$/.test(text);
}

async function proof(rules: ProofRules, as: ProofEcho, challenge: string, secrets: Secrets): Promise<HandshakeAnswer | null> {
  const secret = secrets.current ?? secrets.next;
  const made = secret === null ? null : await proofOf(rules, challenge, secret);
  if (secret === null || made === null) return null;
  if ("text" in as) return answered(echoText(as.withId ? `${splitSecret(secret)?.id ?? ""}|${made}` : made));
  return answered(echoJson({ ...(as.challenge === null ? {} : { [as.challenge]: challenge }), [as.proof]: made }));
}

function echo(as: Echo, challenge: string): Response {
  return as === "text" ? echoText(challenge) : echoJson({ [as.field]: challenge });
}

/** Plain text that no browser takes for a page: the echo is in the sender's words. */
function echoText(text: string): Response {
  return acknowledge({ status: 200, body: text, contentType: "text/plain; charset=utf-8" }, HEADERS);
}

function echoJson(fields: Readonly<Record<string, string>>): Response {
  return acknowledge({ status: 200, body: JSON.stringify(fields), contentType: "application/json" }, HEADERS);
}

/** Permission is given only where deliveries are taken: a source without a secret takes none. */
function allowSender(headers: Headers, secrets: Secrets): HandshakeAnswer | null {
  const allowed = allowedSender(headers);
  if (allowed === null) return null;
  if (secrets.current === null && secrets.next === null) return refused("source_not_configured", "source_not_configured");
  return { response: acknowledge(EMPTY, { ...HEADERS, ...allowed.headers }), refusal: null, hint: `deliveries of ${allowed.origin} are allowed` };
}

/**
 * Whether what was signed could be the answer of our own unsigned proof (Braintree, X): anybody can have such a text signed, so it proves nothing.
 * Trimmed, since some messages end in a line end of their own.
 */
export function isOwnProof(provider: Provider, delivery: Delivery): boolean {
  const rules = messageOf(provider.scheme);
  const readers = rules === null ? [] : flatten(rules.message).flatMap((part) => readerOf(part) ?? []);
  const texts = readers.map((reader) => delivery.read(reader) ?? "");
  if (delivery.body.length <= CHALLENGE_LIMIT_CHARACTERS) texts.push(new TextDecoder().decode(delivery.body));
  return provider.handshakes.some((handshake) => handshake.kind === "get_hmac" && texts.some((text) => isChallengeFor(handshake.proof, text.trim())));
}
