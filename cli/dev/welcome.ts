/** What the user reads when the stack is up: where to post, and one line to paste. */
import { loadSources } from "../sources.ts";

export interface WelcomeFacts {
  readonly url: string;
  readonly database: string;
  readonly dataDir: string;
  readonly varsFile: string;
  readonly fastTimings: boolean;
}

export async function welcome(facts: WelcomeFacts): Promise<string[]> {
  const names = Object.keys(await loadSources());
  const first = names.includes("generic") ? "generic" : (names[0] ?? "");
  return [
    `ready at ${facts.url} (${facts.database}, data in ${facts.dataDir}, secrets in ${facts.varsFile})`,
    ...names.map((name) => `  POST ${facts.url}/webhooks/${name}`),
    `  console ${facts.url}/admin (its token is ADMIN_TOKEN in ${facts.varsFile})`,
    facts.fastTimings
      ? "TIMINGS=fast: leases, watchdogs and waits are shortened, because the local queue is in memory and forgets at a restart (--real-timings turns that off)"
      : "TIMINGS are the real ones: what the in-memory local queue forgets at a restart is sent again only after its watchdog, an hour",
    "one event, three deliveries, one effect; paste this in another terminal:",
    `  npm run send -- ${first} --user u1 --amount 5 --duplicates 2`,
  ];
}
