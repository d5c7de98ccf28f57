/** Imported keys, kept as long as the scheme they are for: importing costs as much as verifying. */

/** Secrets of one scheme: current, next, and what tests bring. */
const KEPT_LIMIT = 16;

export class KnownKeys<Scheme extends object, Key> {
  readonly #byScheme = new WeakMap<Scheme, Map<string, Key>>();

  async of(scheme: Scheme, secret: string, make: () => Promise<Key>): Promise<Key> {
    let keys = this.#byScheme.get(scheme);
    if (keys === undefined) this.#byScheme.set(scheme, (keys = new Map()));
    const before = keys.get(secret);
    if (before !== undefined) return before;
    const key = await make();
    if (keys.size >= KEPT_LIMIT) keys.clear();
    keys.set(secret, key);
    return key;
  }
}
