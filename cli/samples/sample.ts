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
  readonly body: Readonly<Record<string, unknown>>;
  /** The provider's headers, without the signature's: those come from `sign`. */
  readonly headers: Readonly<Record<string, string>>;
}

export type MakeSample = (type: string | undefined, options: SampleOptions) => Sample;
