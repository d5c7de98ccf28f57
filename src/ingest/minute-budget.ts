/** Pure. So many a minute from each purse, and so many purses: what anybody can make us do stays bounded, and nobody spends another's share. */
const MINUTE_MS = 60_000;

export class MinuteBudget {
  readonly #perMinute: number;
  readonly #purses: number;
  readonly #spent = new Map<string, number>();
  #startMs = 0;

  /** `purses`: how many names may spend within one minute; the names after them get nothing. */
  constructor(perMinute: number, purses: number) {
    this.#perMinute = perMinute;
    this.#purses = purses;
  }

  take(purse: string, nowMs: number): boolean {
    if (nowMs - this.#startMs >= MINUTE_MS) {
      this.#startMs = nowMs;
      this.#spent.clear();
    }
    const spent = this.#spent.get(purse) ?? 0;
    if (spent >= this.#perMinute || (spent === 0 && this.#spent.size >= this.#purses)) return false;
    this.#spent.set(purse, spent + 1);
    return true;
  }
}
