/** The nouns that every scheme shares: what arrives, what is sent, and under which secrets. */
import type { Rejection, SecretSlot } from "../core/reasons.ts";
import type { Result } from "../core/result.ts";

export type { Secrets } from "../core/reasons.ts";

export interface Match {
  /** The secret that matched: when it has been `next` for a day, the operator can promote it. */
  readonly matched: SecretSlot;
}

/** What verifying needs of the world. */
export interface Circumstances {
  readonly nowMs: number;
  readonly toleranceMs: number;
  readonly fetchKey: FetchKey;
}

/** A document of a provider's key server: a certificate, a key set. The caller has checked the host; the fetcher bounds time and size, and caches. */
export interface KeyRequest {
  readonly url: string;
  /** Posted as JSON; absent: a GET. */
  readonly post?: string;
  /** The address, or what is posted to it, is the request's to choose: anybody can make up another. */
  readonly named?: true;
  /** What a cached copy did not hold is asked for again. */
  readonly fresh?: boolean;
}

export type FetchKey = (request: KeyRequest) => Promise<Result<string, KeyRejection>>;

export type KeyRejection = Extract<Rejection, { readonly reason: "key_unknown" | "key_budget_spent" | "key_unavailable" }>;

/** A delivery before it is signed. */
export interface Outgoing {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** For providers that carry the event's id in a signed header. */
  readonly id: string;
  readonly timestampMs: number;
}

/** A delivery as it is sent: some providers sign in the body or in the URL. */
export interface Signed {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** What a sender signs with. `secret` is what the receiver's variable holds; `privateKey` (PKCS #8, PEM) the other half where the pair has two. */
export interface SigningKeys {
  readonly secret: string;
  readonly privateKey: string | null;
}

/** Keys for development and tests. `served`: what the provider's key server would answer, for schemes that fetch. */
export interface NewKeys extends SigningKeys {
  readonly served: string | null;
}
