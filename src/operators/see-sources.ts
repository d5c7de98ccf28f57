/** Every configured source: where its provider posts, what it still needs, and what came lately. Never a secret. */
import { isDev } from "../config.ts";
import type { SourceView } from "../core/operators.ts";
import { missingFor } from "../missing.ts";
import { reading } from "../store/reading.ts";
import { readSourceActivity } from "../store/statements/read-source-activity.ts";
import type { Desk } from "./desk.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

export async function seeSources({ db, config, sources, origin }: Desk): Promise<readonly SourceView[]> {
  const activity = await reading(db, config.timings, (tx) => readSourceActivity(tx, Object.keys(sources), DAY_MS));
  return Object.entries(sources).map(([source, provider]) => {
    const { lastReceivedAtMs = null, received = 0, completed = 0, skipped = 0, failed = 0 } = activity.find((one) => one.source === source) ?? {};
    const { current, next } = config.secretsOf(source);
    return {
      source,
      title: provider.title,
      url: `${config.publicBaseUrl ?? origin}/webhooks/${source}`,
      docsUrl: provider.docs,
      secret: current !== null && next !== null ? "set, with next" : current !== null || next !== null ? "set" : "missing",
      hints: missingFor(source, provider, config, isDev()).map(({ hint }) => hint),
      lastReceivedAtMs,
      lastDay: { received, completed, skipped, failed },
    };
  });
}
