/** What `npm run send` sends for a provider: realistic, and about the fact that the options name. */

export interface SampleOptions {
  readonly id: string;
  readonly user: string;
  /** A positive integer of minor units. */
  readonly amount: number;
  /** The fact's own reference; the event's id where it is absent. */
  readonly reference?: string | undefined;
}

export interface Sample {
  readonly type: string;
  /** Sent as JSON. */
  readonly body: unknown;
  /** Sent as an urlencoded form instead. */
  readonly form?: Readonly<Record<string, string>>;
  /** The provider's headers in lower case, without the signature's: those come from `sign`. */
  readonly headers: Readonly<Record<string, string>>;
  /** For providers that sign the query: appended to the URL, with its question mark. */
  readonly query?: string;
}

export type MakeSample = (type: string | undefined, options: SampleOptions) => Sample;

/** The body's bytes. */
export function sampleBytes(sample: Pick<Sample, "body" | "form">): Uint8Array<ArrayBuffer> {
  const text = sample.form === undefined ? JSON.stringify(sample.body) : new URLSearchParams(sample.form).toString();
  return Uint8Array.from(new TextEncoder().encode(text));
}
