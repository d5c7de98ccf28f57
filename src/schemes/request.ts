/** The nouns that every scheme shares: what arrives, what is sent, and under which secrets. */
import type { SecretSlot } from "../core/reasons.ts";

/** What a signature may cover. `body` is the bytes as they came. */
export interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

export type { Secrets } from "../core/reasons.ts";

export interface Match {
  /** The secret that matched: when it has been `next` for a day, the operator can promote it. */
  readonly matched: SecretSlot;
}

/** What a sender signs. */
export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly id: string;
  readonly timestampMs: number;
  readonly body: Uint8Array;
}
