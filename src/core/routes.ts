/** Pure. Which handler an event goes to: the exact type, else the longest prefix (`customer.*`), else `*`; one handler per event. */

export interface Routed {
  readonly source: string;
  /** An event type, a prefix that ends in `.*`, or `*`. */
  readonly type: string;
}

/** Two routes for the same source and type: the second would never run. */
export function duplicateRoute(routes: readonly Routed[]): Routed | null {
  const seen = new Set<string>();
  for (const route of routes) {
    const name = JSON.stringify([route.source, route.type]);
    if (seen.has(name)) return route;
    seen.add(name);
  }
  return null;
}

export function findRoute<R extends Routed>(routes: readonly R[], source: string, type: string): R | null {
  let best: R | null = null;
  let bestLength = -1;
  for (const route of routes) {
    if (route.source !== source) continue;
    const length = matchLength(route.type, type);
    if (length > bestLength) [best, bestLength] = [route, length];
  }
  return best;
}

/** How specific a match is; -1: none. An exact type beats every prefix. */
function matchLength(pattern: string, type: string): number {
  if (pattern === type) return Number.POSITIVE_INFINITY;
  if (pattern === "*") return 0;
  const prefix = pattern.endsWith(".*") ? pattern.slice(0, -1) : null;
  return prefix !== null && type.startsWith(prefix) ? prefix.length : -1;
}
