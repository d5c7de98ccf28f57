/** The contract of a preset: a provider's documentation page as data. It holds no function, so nothing in it can fail. */
import type { Scheme } from "../schemes/scheme.ts";
import type { Joined, Reader } from "./readers.ts";

/** `Data` types the handlers' payload and exists only at compile time: `stripe<Stripe.Event>()`. */
export interface Provider<Data = unknown> {
  readonly name: string;
  /** The page that this preset was written from. */
  readonly docs: string;
  readonly scheme: Scheme;
  /** The first that gives a usable id. Several are several places for one id: where they differ, the first wins and it is logged. */
  readonly id: readonly Reader[];
  /** The first that gives a usable type, else `unknown`. */
  readonly type: readonly (Reader | Joined)[];
  /** When it happened, if the provider says so. */
  readonly occurredAt: { readonly from: Reader; readonly unit: "s" | "ms" | "iso" } | null;
  readonly handshakes: readonly Handshake[];
  /** For providers that demand their own answer to everything accepted; null is ours. */
  readonly acknowledgement: Acknowledgement | null;
  /** What most often makes a newcomer's signatures fail. `{secret}` is the name of the variable that holds the source's secret. */
  readonly hint: string;
  readonly __data?: Data;
}

export interface Acknowledgement {
  readonly status: 200 | 201 | 202 | 204;
  readonly body: string | null;
  readonly contentType: string;
}

/** How a provider asks whether this endpoint is ours. Answering creates nothing. */
export type Handshake =
  /** GET: echo a query parameter as plain text, if the others are as expected (Meta, WebSub, Dropbox). */
  | {
      readonly kind: "get_echo";
      readonly param: string;
      readonly where: Readonly<Record<string, string>>;
      /** The parameter that must equal the source's verify token, which is never its signing secret; null where the provider has none. */
      readonly tokenParam: string | null;
    }
  /** POST: echo a field of the JSON body (Slack, Twitch, monday). */
  | {
      readonly kind: "post_echo";
      readonly when: Condition;
      readonly field: readonly string[];
      /** As plain text, or as this field of a JSON object. */
      readonly as: "text" | { readonly field: string };
      readonly signed: boolean;
    }
  /** POST: a fixed answer (Discord's PING). */
  | { readonly kind: "post_constant"; readonly when: Condition; readonly answer: Acknowledgement; readonly signed: boolean };

/** Text (numbers as written) at a place of the request; null: anything, as long as it is there. `signed`: only after the signature was verified. */
export interface Condition {
  readonly at: Reader;
  readonly is: string | null;
}
