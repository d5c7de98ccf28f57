/** Pure. Why a delivery was refused, with the facts that an operator needs. The sender only ever sees its row of DESIGN 3.1. */

/** Which of a source's secrets is meant: never the secret itself. */
export type SecretSlot = "current" | "next";

/** A source's secrets, trimmed; both verify, so that an operator can rotate without a gap (DESIGN 3.6). */
export interface Secrets {
  readonly current: string | null;
  readonly next: string | null;
}

/**
 * Why a delivery is not authentic. All but `key_unavailable` and `key_budget_spent` (503) are one 401 outside. No fact holds a secret, a signature or a piece of the payload;
 * `place` is where in the request, in words.
 */
export type Rejection =
  | { readonly reason: "secret_missing" }
  | { readonly reason: "secret_malformed"; readonly secret: SecretSlot; readonly expected: string }
  | { readonly reason: "signature_missing"; readonly place: string }
  | { readonly reason: "signature_malformed"; readonly place: string; readonly expected: string }
  /** To find the signature, or what it covers, more would have to be parsed than is before anybody knows who sent it. */
  | { readonly reason: "unverified_too_large"; readonly place: string; readonly limit: string }
  /** Something that the signature covers is not in the request. */
  | { readonly reason: "signed_part_missing"; readonly place: string }
  /** The signature is right, but would be as right for other values than these. */
  | { readonly reason: "signed_part_malformed"; readonly place: string; readonly expected: string }
  | { readonly reason: "timestamp_missing"; readonly place: string }
  | { readonly reason: "timestamp_malformed"; readonly place: string; readonly expected: string }
  /** The signature is right: genuine, but late (or replayed). */
  | { readonly reason: "timestamp_too_old"; readonly sentAtMs: number; readonly nowMs: number; readonly toleranceMs: number }
  /** The signature is right: a clock is wrong, or the unit is. */
  | { readonly reason: "timestamp_in_future"; readonly sentAtMs: number; readonly nowMs: number; readonly toleranceMs: number }
  | { readonly reason: "signature_mismatch"; readonly secretsTried: number; readonly signaturesTried: number; readonly bodyBytes: number }
  /** The signature is right, and covers the digest of another body. */
  | { readonly reason: "body_digest_mismatch"; readonly place: string }
  /** The signature is right, but for somebody else: another audience, account or topic. */
  | { readonly reason: "not_for_us"; readonly place: string }
  /** The request names a key that is not the provider's to name. */
  | { readonly reason: "key_not_allowed"; readonly place: string }
  /** The provider's key server does not know the key, or answers nonsense. */
  | { readonly reason: "key_unknown"; readonly host: string }
  /** So many requests have named new keys that this one's is not asked for in this minute. */
  | { readonly reason: "key_budget_spent"; readonly host: string }
  /** The key server cannot be reached: nobody's fault, and a retry may cure it. */
  | { readonly reason: "key_unavailable"; readonly host: string };

/** Why a body was not read to its end. */
export type BodyRefusal = "payload_too_large" | "too_busy" | "body_timeout" | "body_aborted";

/** Why an authentic delivery is not an event. */
export type IdentityRefusal = "missing_event_id" | "malformed_payload";

/** Every answer whose `holdfast-status` is `rejected`: the rows of DESIGN 3.1, and a handshake's wrong verify token. */
export type Refusal =
  | "invalid_signature"
  | "verify_token_mismatch"
  | "unsupported_content_encoding"
  | "unknown_source"
  | "method_not_allowed"
  | "source_not_configured"
  | "key_unavailable"
  | "temporarily_unavailable"
  | BodyRefusal
  | IdentityRefusal;
