/** Pure. Why a delivery was refused, with the facts that an operator needs. The sender only ever sees its row of DESIGN 3.1. */

/** Which of a source's secrets is meant: never the secret itself. */
export type SecretSlot = "current" | "next";

/** A source's secrets, trimmed; both verify, so that an operator can rotate without a gap (DESIGN 3.6). */
export interface Secrets {
  readonly current: string | null;
  readonly next: string | null;
}

/** Why a delivery is not authentic. All of them are one 401 outside. No fact holds a secret, a signature or a piece of the payload. */
export type Rejection =
  | { readonly reason: "secret_missing" }
  | { readonly reason: "secret_malformed"; readonly secret: SecretSlot; readonly expected: string }
  | { readonly reason: "signature_missing"; readonly header: string }
  | { readonly reason: "signature_malformed"; readonly header: string; readonly expected: string }
  | { readonly reason: "signed_header_missing"; readonly header: string }
  | { readonly reason: "timestamp_missing"; readonly header: string }
  | { readonly reason: "timestamp_malformed"; readonly header: string; readonly expected: string }
  /** The signature is right: genuine, but late (or replayed). */
  | { readonly reason: "timestamp_too_old"; readonly sentAtMs: number; readonly nowMs: number; readonly toleranceMs: number }
  /** The signature is right: a clock is wrong, or the unit is. */
  | { readonly reason: "timestamp_in_future"; readonly sentAtMs: number; readonly nowMs: number; readonly toleranceMs: number }
  | { readonly reason: "signature_mismatch"; readonly secretsTried: number; readonly signaturesTried: number; readonly bodyBytes: number };

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
  | "temporarily_unavailable"
  | BodyRefusal
  | IdentityRefusal;
