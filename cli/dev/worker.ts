/** Gets the Worker to listen: on the port that was asked for, or on the next free one when somebody else was faster. */
import { until } from "../processes.ts";
import { say } from "../terminal.ts";
import type { Output } from "./output.ts";
import { choosePort, isPortFree } from "./port.ts";
import { startWrangler, type RunningWrangler, type WranglerOptions } from "./wrangler.ts";

const LAST_WORDS_MS = 1_000;

export interface StartedWorker {
  readonly wrangler: RunningWrangler;
  readonly url: string;
}

/** Resolves when it listens, has ended, or `interrupted` did; `started` hears of every process at once, so that none is forgotten. */
export async function startWorker(
  wanted: number | null,
  settings: Omit<WranglerOptions, "port">,
  output: Output,
  interrupted: Promise<unknown>,
  started: (wrangler: RunningWrangler) => void,
): Promise<StartedWorker> {
  for (;;) {
    const choice = await choosePort(wanted, isPortFree);
    if (!choice.ok) throw new Error(choice.sentence);
    const listening = output.untilListening();
    const wrangler = startWrangler({ ...settings, port: choice.port }, (line) => output.take(line));
    started(wrangler);
    const hasEnded = await Promise.race([listening.then(() => false), wrangler.exited.then(() => true), interrupted.then(() => false)]);
    // Its last words may arrive after its end.
    if (hasEnded) await until(() => output.addressTaken, LAST_WORDS_MS);
    if (!output.addressTaken || wanted !== null) return { wrangler, url: `http://127.0.0.1:${choice.port}` };
    say(`port ${choice.port} was taken meanwhile; trying the next`);
    await wrangler.stop();
  }
}
