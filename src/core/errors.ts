/** Pure. What a handler may throw to say more than "failed", and what is thrown for it when it overstays. */

/** The longest wait that a handler may ask for: messages may be delayed by 12 hours (platform limit of a queue is 24). */
export const RETRY_AFTER_LIMIT_SECONDS = 12 * 60 * 60;

/** Trying again cannot help: the event becomes a dead letter at once. An outage underneath still passes as an outage. */
export class PermanentError extends Error {
  override readonly name: string = "PermanentError";
}

/** Not yet: counted as an attempt, run again after this long instead of the usual delay. */
export class RetryAfterError extends Error {
  override readonly name = "RetryAfterError";
  /** Seconds, above 0, at most RETRY_AFTER_LIMIT_SECONDS. */
  readonly afterSeconds: number;

  /** Throws a RangeError unless `afterSeconds` is a finite number above 0; more than 12 hours becomes 12 hours. */
  constructor(message: string, afterSeconds: number, options?: ErrorOptions) {
    super(message, options);
    if (!Number.isFinite(afterSeconds) || afterSeconds <= 0)
      throw new RangeError(`RetryAfterError needs a number of seconds above 0, not ${afterSeconds}`);
    this.afterSeconds = Math.min(afterSeconds, RETRY_AFTER_LIMIT_SECONDS);
  }
}

/** A handler or an `after` outlived its deadline. Its transaction is rolled back by its client being abandoned. */
export class HandlerTimeout extends Error {
  override readonly name = "HandlerTimeout";

  constructor(deadlineMs: number) {
    super(`the handler did not end within ${deadlineMs} ms`);
  }
}
