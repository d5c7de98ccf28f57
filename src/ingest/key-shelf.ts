/**
 * What one source knows of its provider's keys, and how often it may ask for more. Pure: times and answers are handed in. Anybody can name a key in a
 * request; only a signature that was right makes an address trusted, and nothing that a stranger sends gets in among those or pushes one out.
 */
import { KEY_FETCHES_PER_MINUTE, KEY_HOSTS_PER_MINUTE, KEYS_KEPT, KEYS_MISSING_KEPT } from "../core/limits.ts";
import { failed, ok } from "../core/result.ts";
import type { Timings } from "../core/timings.ts";
import type { FetchKey, KeyRequest } from "../schemes/scheme.ts";
import { MinuteBudget } from "./minute-budget.ts";

export type KeyOutcome = Awaited<ReturnType<FetchKey>>;

/** What a key server said: a document, that it has none, or nothing. */
export type KeyAnswer = { readonly text: string } | "missing" | "away";

interface Kept {
  readonly text: string;
  readonly fetchedMs: number;
  /** Asked for again since, in vain. */
  readonly askedMs: number;
}

export class KeyShelf {
  readonly #trusted = new Map<string, Kept>();
  readonly #unproven = new Map<string, Kept>();
  readonly #missing = new Map<string, number>();
  /** A trusted address has a purse of its own, and the named ones share that of their host. */
  readonly #refreshes = new MinuteBudget(KEY_FETCHES_PER_MINUTE, 2 * KEYS_KEPT);
  readonly #fetches = new MinuteBudget(KEY_FETCHES_PER_MINUTE, KEY_HOSTS_PER_MINUTE);

  /** What is known without asking; null: the key server is to be asked, and that is paid for. */
  lookUp(request: KeyRequest, nowMs: number, timings: Timings): KeyOutcome | null {
    const name = nameOf(request);
    const kept = this.#kept(name);
    if (kept !== undefined) {
      const ageMs = nowMs - kept.fetchedMs;
      const isGood = ageMs < (request.fresh === true ? timings.keyRefusedMs : timings.keyKeptMs);
      if (isGood || (ageMs < timings.keyStaleMs && nowMs - kept.askedMs < timings.keyRefusedMs)) return ok(kept.text);
    }
    const host = hostOf(request);
    const missingMs = this.#missing.get(name);
    if (missingMs !== undefined && nowMs - missingMs < timings.keyRefusedMs) return failed({ reason: "key_unknown", host });
    const isTrusted = this.#isTrusted(request, name);
    if (isTrusted ? this.#refreshes.take(name, nowMs) : this.#fetches.take(host, nowMs)) return null;
    if (kept !== undefined && nowMs - kept.fetchedMs < timings.keyStaleMs) return ok(kept.text);
    return failed({ reason: isTrusted ? "key_unavailable" : "key_budget_spent", host });
  }

  /** What the answer makes of it. Others may have answered in between: nothing that was read before the fetch is used. */
  take(request: KeyRequest, answer: KeyAnswer, nowMs: number, timings: Timings): KeyOutcome {
    const name = nameOf(request);
    const host = hostOf(request);
    if (answer === "away") {
      const kept = this.#kept(name);
      if (kept === undefined || nowMs - kept.fetchedMs >= timings.keyStaleMs) return failed({ reason: "key_unavailable", host });
      // What was seen lately serves while the server is away, and it is not asked by every request.
      this.#shelfOf(request, name).set(name, { ...kept, askedMs: nowMs });
      return ok(kept.text);
    }
    if (answer === "missing") {
      this.#trusted.delete(name);
      this.#unproven.delete(name);
      put(this.#missing, name, nowMs, KEYS_MISSING_KEPT);
      return failed({ reason: "key_unknown", host });
    }
    this.#missing.delete(name);
    const kept = { text: answer.text, fetchedMs: nowMs, askedMs: Number.NEGATIVE_INFINITY };
    put(this.#shelfOf(request, name), name, kept, KEYS_KEPT);
    return ok(answer.text);
  }

  /**
   * A signature was right with this document: its address is trusted from here on, and the last to go. Its age stays: a key that is withdrawn must be
   * noticed, however much is signed with it.
   */
  verified(request: KeyRequest, text: string): void {
    const name = nameOf(request);
    const kept = this.#kept(name);
    if (kept === undefined || kept.text !== text) return;
    this.#unproven.delete(name);
    put(this.#trusted, name, kept, KEYS_KEPT);
  }

  #kept(name: string): Kept | undefined {
    return this.#trusted.get(name) ?? this.#unproven.get(name);
  }

  /** A preset's own address, or one that a signature was verified with. */
  #isTrusted(request: KeyRequest, name: string): boolean {
    return request.named !== true || this.#trusted.has(name);
  }

  #shelfOf(request: KeyRequest, name: string): Map<string, Kept> {
    return this.#isTrusted(request, name) ? this.#trusted : this.#unproven;
  }
}

const nameOf = ({ url, post }: KeyRequest): string => `${url} ${post ?? ""}`;
const hostOf = ({ url }: KeyRequest): string => new URL(url).hostname;

/** As the newest; the oldest goes. */
function put<Value>(shelf: Map<string, Value>, name: string, value: Value, limit: number): void {
  shelf.delete(name);
  shelf.set(name, value);
  const [oldest] = shelf.keys();
  if (shelf.size > limit && oldest !== undefined) shelf.delete(oldest);
}
