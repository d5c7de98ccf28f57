/** Many events again, by one order to a running instance: planned, confirmed, begun, watched to its end. Ctrl-C asks the instance to stop it. */
import { createInterface } from "node:readline";
import type { AdminClient } from "../admin-client.ts";
import { plain } from "../log/plain.ts";
import { Progress } from "../progress.ts";
import { say } from "../terminal.ts";
import { cancelRun, planRun, readKinds, readRun, type RunView, startRun } from "./api.ts";
import { follow } from "./follow.ts";
import type { GroupOrder } from "./order.ts";
import { endText, exitCodeOf, planText, progressText, questionText } from "./words.ts";

export interface GroupReplay {
  readonly client: AdminClient;
  readonly url: string;
  readonly order: GroupOrder;
  readonly isDry: boolean;
  /** Nobody is asked. */
  readonly isConfirmed: boolean;
  readonly isJson: boolean;
  readonly waitSeconds: number;
}

const EVERY_MS = 1_000;
/** Half a minute of a Postgres that restarts, or of a network. */
const MISSES_LIMIT = 30;

/** The exit code. */
export async function replayGroup({ client, url, order, isDry, isConfirmed, isJson, waitSeconds }: GroupReplay): Promise<0 | 1 | 3> {
  const [plan, seen] = await Promise.all([planRun(client, order), readKinds(client, order)]);
  if (isJson) console.log(plain(JSON.stringify({ plan, ...seen })));
  else console.log(planText(plan, order, seen));
  if (isDry || plan.willReplay === 0) return 0;
  if (!isConfirmed && !(await answeredYes(questionText(plan, order, url)))) {
    say("nothing was replayed");
    return 1;
  }

  // From before it is begun: a Ctrl-C meanwhile stops it too. Twice is once: a launcher passes on what the terminal sends to both.
  const interrupt = new AbortController();
  process.on("SIGINT", () => interrupt.abort());
  const begun = await startRun(client, order);
  say(`replay ${begun.id} has begun; Ctrl-C cancels it`);
  const progress = new Progress();
  let told = "";
  const show = (run: RunView): void => {
    const line = JSON.stringify(run);
    if (isJson && line !== told) console.log(plain(line));
    told = line;
    progress.show(run.replayed, run.willReplay, progressText(run));
  };
  const missed = (why: string): void => {
    progress.clear();
    say(`${why}\nThe replay goes on there; asking again`);
  };
  const watch = { show, missed, everyMs: EVERY_MS, waitMs: waitSeconds * 1_000, missesLimit: MISSES_LIMIT, interrupted: interrupt.signal };
  try {
    const left = await follow(begun, { ...watch, read: (id) => readRun(client, id) });
    const run = interrupt.signal.aborted ? await cancelled(client, left, url) : left;
    progress.clear();
    if (isJson) show(run);
    else console.log(endText(run));
    return exitCodeOf(run);
  } finally {
    progress.clear();
  }
}

async function cancelled(client: AdminClient, run: RunView, url: string): Promise<RunView> {
  try {
    return await cancelRun(client, run.id);
  } catch (error) {
    say(`not cancelled: ${error instanceof Error ? error.message : String(error)}`);
    say(`it goes on. To cancel it: curl -X POST -H "authorization: Bearer $ADMIN_TOKEN" ${url}/admin/api/replays/${run.id}/cancel`);
    return run;
  }
}

/** The terminal itself edits the line, so that Ctrl-C still ends the command: nothing has begun. */
async function answeredYes(question: string): Promise<boolean> {
  process.stderr.write(question);
  const lines = createInterface({ input: process.stdin, terminal: false });
  try {
    for await (const line of lines) return /^y(?:es)?$/i.test(line.trim());
    return false;
  } finally {
    lines.close();
  }
}
