/** Imported keys, kept as long as the scheme they are for: importing costs as much as verifying. */

/** Secrets of one scheme: current, next, and what tests bring. */
const KEPT_LIMIT = 16;

export class KnownKeys<Scheme extends object, Key> {
  readonly #byScheme = new WeakMap<Scheme, Map<string, Key>>();

  /** At once, where it is known. */
  of(scheme: Scheme, secret: string, make: () => Promise<Key>): Key | Promise<Key> {
    const before = this.#byScheme.get(scheme)?.get(secret);
    return before === undefined ? this.#made(scheme, secret, make) : before;
  }

  async #made(scheme: Scheme, secret: string, make: () => Promise<Key>): Promise<Key> {
    const key = await make();
    let keys = this.#byScheme.get(scheme);
    if (keys === undefined) this.#byScheme.set(scheme, (keys = new Map()));
    if (keys.size >= KEPT_LIMIT) keys.clear();
    keys.set(secret, key);
    return key;
  }
}
