/** A promise with a time limit. Its timer never throws and is always cleared: a throwing timer fails a whole batch of messages. */

export class DeadlinePassed extends Error {
  override readonly name = "DeadlinePassed";
}

/** The promise's outcome, or DeadlinePassed. What is late goes on unobserved: the caller must be able to bear that. */
export async function within<T>(limitMs: number, what: string, promise: Promise<T>): Promise<T> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(new DeadlinePassed(`${what}: no answer within ${limitMs} ms`)), limitMs);
  try {
    return await Promise.race([promise, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}
