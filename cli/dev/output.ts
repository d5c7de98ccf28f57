/** Where wrangler's lines go: the Worker's facts to stdout (readable on a terminal, JSON when piped), the rest to stderr; all of it to a file for `npm run tail`. */
import { styleText } from "node:util";
import { readable } from "../log/fact.ts";
import { plain } from "../log/plain.ts";
import { say } from "../terminal.ts";
import { LogFile } from "./log-file.ts";
import { isNoise, isQuiet, parseFact, ResendCount, resendSentence, runtimeNews } from "./worker-log.ts";

/** Longer than the claims' lease and first watchdog: by then every event that the queue lost has been sent again. */
const RESEND_WINDOW_MS = { fast: 12_000, real: 35_000 };
const LOOK_EVERY_MS = 250;

export interface OutputOptions {
  readonly dataDir: string;
  readonly json: boolean;
  readonly verbose: boolean;
  readonly fastTimings: boolean;
  /** There are claims of an earlier run, whose events the queue has lost. */
  readonly hasHistory: boolean;
}

export class Output {
  /** Resolves when the runtime is gone for good. */
  readonly runtimeLost: Promise<void>;
  readonly #raw: boolean;
  readonly #verbose: boolean;
  readonly #file: LogFile;
  readonly #resends: ResendCount;
  readonly #timer: NodeJS.Timeout;
  #listening: () => void = () => {};
  #addressTaken = false;
  #stopping = false;
  #what: "it stopped" | "the reload" = "it stopped";
  #lost: () => void = () => {};

  constructor(options: OutputOptions) {
    this.#raw = options.json || !process.stdout.isTTY;
    this.#verbose = options.verbose;
    this.#file = new LogFile(options.dataDir);
    this.#resends = new ResendCount(RESEND_WINDOW_MS[options.fastTimings ? "fast" : "real"]);
    this.runtimeLost = new Promise((resolve) => (this.#lost = resolve));
    this.#timer = setInterval(() => {
      const count = this.#resends.take(Date.now());
      if (count !== null) say(resendSentence(count, this.#what));
    }, LOOK_EVERY_MS);
    // Objects whose alarm is overdue send as soon as the runtime is up, before it answers its first request.
    if (options.hasHistory) this.#resends.open(Date.now() + 60_000);
  }

  /** wrangler could not listen, in its present start. */
  get addressTaken(): boolean {
    return this.#addressTaken;
  }

  /** For the start that comes next. */
  untilListening(): Promise<void> {
    this.#addressTaken = false;
    return new Promise((resolve) => (this.#listening = resolve));
  }

  ready(): void {
    this.#resends.extend(Date.now());
  }

  take(line: string): void {
    const fact = parseFact(line);
    if (fact !== null) {
      this.#resends.see(fact);
      const json = plain(JSON.stringify(fact));
      this.#file.write(json);
      if (this.#raw) console.log(json);
      else if (!isQuiet(fact)) console.log(readable(fact, (format, text) => styleText(format, text, { stream: process.stdout })));
      return;
    }
    // What wrangler says while it is being ended (esbuild prints its goroutines) tells nobody anything.
    if (this.#stopping && !this.#verbose) return;
    const news = runtimeNews(line);
    if (news === "lost") this.#lost();
    else if (news === "listening") this.#listening();
    else if (news === "address_taken") this.#addressTaken = true;
    else if (news !== null) {
      this.#what = news === "reloaded" ? "the reload" : "it stopped";
      this.#resends.open(Date.now());
    }
    if (isNoise(line)) {
      if (this.#verbose) console.error(line);
      return;
    }
    this.#file.write(line);
    console.error(line);
  }

  stopping(): void {
    this.#stopping = true;
    clearInterval(this.#timer);
  }
}
