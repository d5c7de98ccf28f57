/** Pure. An error and all that it says it was caused by: Drizzle wraps what postgres.js throws, handlers wrap what Drizzle throws. */

/** Deeper than any honest chain. */
const LINKS_LIMIT = 32;

/** The error first, then its causes and an AggregateError's errors, nearest first; each once, so a cycle ends. */
export function chainOf(error: unknown): readonly unknown[] {
  const chain = new Set<unknown>([error]);
  for (const link of chain) {
    for (const below of causesOf(link)) if (chain.size < LINKS_LIMIT) chain.add(below);
  }
  return [...chain];
}

function causesOf(error: unknown): readonly unknown[] {
  try {
    if (typeof error !== "object" || error === null) return [];
    const causes: unknown[] = "cause" in error && error.cause !== undefined && error.cause !== null ? [error.cause] : [];
    return "errors" in error && Array.isArray(error.errors) ? [...causes, ...error.errors] : causes;
  } catch {
    // What was thrown may have getters that throw.
    return [];
  }
}

/** A property's text, if it is one. Whatever was thrown may have getters that throw. */
export function textOf(value: unknown, property: string): string | null {
  try {
    const text: unknown = (typeof value === "object" || typeof value === "function") && value !== null ? Reflect.get(value, property) : null;
    return typeof text === "string" ? text : null;
  } catch {
    return null;
  }
}
