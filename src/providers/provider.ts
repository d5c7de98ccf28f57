/** The contract of a preset: a provider's documentation page as data. It holds no function, so nothing in it can fail. */
import type { Reader } from "../core/delivery.ts";
import type { ProofRules } from "../schemes/prove.ts";
import type { AllowedUrl } from "../schemes/rsa.ts";
import type { Scheme } from "../schemes/scheme.ts";
import type { IdReader, TypeReader } from "./readers.ts";

/** What a source may set for any provider. */
export interface SourceOptions {
  /** How old (or how far ahead) a signed time may be; the provider's advice, else 300. For providers that retry with the first signature. */
  readonly maxAgeSeconds?: number;
  /** The same bytes under another event id within 7 days, where the signature does not cover the id: noted on the event (`flag`), or not run (`skip`). */
  readonly suspectedReplays?: "flag" | "skip";
}

/** `Data` types the handlers' payload and exists only at compile time: `stripe<Stripe.Event>()`. */
export interface Provider<Data = unknown> extends SourceOptions {
  readonly name: string;
  /** As the provider writes its own name. */
  readonly title: string;
  /** The page that this preset was written from. */
  readonly docs: string;
  readonly scheme: Scheme;
  /** The first that gives a usable id. Several are several places for one id: where they differ, the first wins and it is logged. */
  readonly id: readonly IdReader[];
  /** The first that gives a usable type, else `unknown`. */
  readonly type: readonly TypeReader[];
  readonly occurredAt: OccurredAt | null;
  /** For deliveries that carry several events; null: a delivery is an event. `id` above is then the delivery's. */
  readonly split: Split | null;
  /** Only deliveries for which all of these hold are run, or split; the others are recorded and skipped as `other_mode`. */
  readonly only: readonly Condition[];
  readonly handshakes: readonly Handshake[];
  /** For providers that demand their own answer to everything accepted; null is ours. */
  readonly acknowledgement: Acknowledgement | null;
  /** `empty`: what is refused is answered without a body too, for providers that want none in any answer (Xero). */
  readonly refusal: "json" | "empty";
  /** Whether its form comes as multipart/form-data (Dropbox Sign). Of nobody else one is parsed, let alone taken for the form that is signed. */
  readonly multipart: boolean;
  /** Whether it waits as long as a `Retry-After` says: only then is one sent. */
  readonly honoursRetryAfter: boolean;
  /** What most often makes a newcomer's signatures fail. `{secret}` is the name of the variable that holds the source's secret. */
  readonly hint: string;
  readonly facts: Facts;
  readonly __data?: Data;
}

/** When it happened, if the provider says so. */
export interface OccurredAt {
  readonly from: Reader;
  readonly unit: "s" | "ms" | "iso";
}

/** How a delivery falls into events. The readers read an item as if it were the body; the delivery's headers are there too. */
export interface Split {
  /** The array: [] is the body itself, "*" in it is each element (["entry", "*", "changes"]). */
  readonly items: readonly string[];
  readonly id: readonly IdReader[];
  readonly type: readonly TypeReader[];
  readonly occurredAt: OccurredAt | null;
}

export interface Acknowledgement {
  readonly status: 200 | 201 | 202 | 204;
  readonly body: string | null;
  readonly contentType: string;
}

/** Text (numbers as written) at a place of the request; null: anything, as long as it is there. */
export interface Condition {
  readonly at: Reader;
  readonly is: string | null;
}

/** How a challenge goes back: as plain text, or as this field of a JSON object. */
export type Echo = "text" | { readonly field: string };

/** How a provider asks whether this endpoint is ours. Answering creates nothing. `signed`: only after the signature was verified. */
export type Handshake =
  /** GET: echo a query parameter or a header, if these query parameters are as expected (Meta, WebSub, Dropbox, Okta). */
  | {
      readonly kind: "get_echo";
      readonly challenge: Reader;
      readonly where: Readonly<Record<string, string>>;
      /** The parameter that must equal the source's verify token, which is never its signing secret; null where the provider has none. */
      readonly tokenParam: string | null;
      readonly as: Echo;
    }
  /** GET: the HMAC of a query parameter under the source's secret (X, Braintree, LinkedIn). */
  | { readonly kind: "get_hmac"; readonly challenge: Reader; readonly proof: ProofRules; readonly as: ProofEcho }
  /** POST: echo a value (Slack, Twitch, monday); `header`: of a request header, in the header of the same name. */
  | {
      readonly kind: "post_echo";
      readonly when: readonly Condition[];
      readonly challenge: Reader;
      readonly as: Echo;
      readonly signed: boolean;
    }
  /** POST: the HMAC of a value (Zoom). */
  | {
      readonly kind: "post_hmac";
      readonly when: readonly Condition[];
      readonly challenge: Reader;
      readonly proof: ProofRules;
      readonly as: ProofEcho;
      readonly signed: boolean;
    }
  /** POST: a fixed answer (Discord's PING, Xero's intent to receive). */
  | { readonly kind: "post_constant"; readonly when: readonly Condition[]; readonly answer: Acknowledgement; readonly signed: boolean }
  /** OPTIONS of CloudEvents' web hooks: the sender's origin is allowed back. */
  | { readonly kind: "options_cloudevents" }
  /** POST, always signed: a URL of the request is fetched, if it is on the allow-list (SNS). */
  | { readonly kind: "post_confirm"; readonly when: readonly Condition[]; readonly url: Reader; readonly allow: AllowedUrl }
  /**
   * POST, never signed: the provider sends the secret itself. It is kept for an operator to read (GET /admin/api/sources/<source>/handshakes), and only
   * while the source has no secret. `echo`: the header that the secret goes back in (Asana); null: an empty 200 (Notion).
   */
  | { readonly kind: "post_secret"; readonly secret: Reader; readonly echo: string | null };

/** `text`: the proof alone, after `<id>|` where the secret is `id:key` and `withId`. Else fields of a JSON object. */
export type ProofEcho = { readonly text: true; readonly withId: boolean } | { readonly proof: string; readonly challenge: string | null };

/** What the table in docs/providers.md says of a preset, beside its data. */
export interface Facts {
  /** What agrees with this preset that we did not make: a published vector, an official package, or its documentation alone. */
  readonly proof: "vector" | "package" | "documentation";
  /** When that was looked at: YYYY-MM-DD. */
  readonly checked: string;
  /** Whether a retry carries the same id; null: the provider does not say. */
  readonly sameIdOnRetry: boolean | null;
  /** How long the provider waits for the answer; null: it does not say. */
  readonly ackSeconds: number | null;
  /** What this preset relies on and could not be checked in the provider's own documentation. */
  readonly unverified: readonly string[];
}

/** A preset as its file writes it: what is usual may be left out. */
export type Page = Omit<Provider, keyof typeof USUAL | keyof SourceOptions | "__data"> &
  Partial<Pick<Provider, keyof typeof USUAL | keyof SourceOptions>>;

const USUAL = {
  occurredAt: null,
  split: null,
  only: [],
  handshakes: [],
  acknowledgement: null,
  refusal: "json",
  multipart: false,
  honoursRetryAfter: false,
} as const satisfies Partial<Provider>;

/** A provider's page with what is usual filled in, and the source's options laid over it. */
export function preset<Data>(page: Page, options: SourceOptions = {}): Provider<Data> {
  return { ...USUAL, ...page, ...options };
}

/** A provider of your own: the same data as a preset's; only what cannot be guessed has to be there. docs/custom-providers.md has an example. */
export type CustomPage = Omit<Page, "title" | "docs" | "hint" | "facts"> & Partial<Pick<Page, "title" | "docs" | "hint" | "facts">>;

export function custom<Data = unknown>(page: CustomPage, options: SourceOptions = {}): Provider<Data> {
  const facts: Facts = { proof: "documentation", checked: "", sameIdOnRetry: null, ackSeconds: null, unverified: [] };
  return preset(
    { title: page.name, docs: "src/sources.ts", hint: "{secret} must be the secret that the sender signs with", facts, ...page },
    options,
  );
}
