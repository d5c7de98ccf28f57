/**
 * Counters in Workers Analytics Engine, where the binding METRICS is there (wrangler.toml): one point for each delivery and for each run of an event.
 * Written and forgotten: nothing waits for them, nothing fails with them. No id, no payload, no stranger's text. Limits:
 * https://developers.cloudflare.com/analytics/analytics-engine/limits/
 */
import { METRIC_POINTS_LIMIT } from "./core/limits.ts";
import { errorText, log } from "./log.ts";

export interface Count {
  /** A configured one; null: what came was for none. */
  readonly source: string | null;
  readonly kind: "delivery" | "run";
  /** As the log line's `outcome`. */
  readonly outcome: string;
  /** Why it was refused, or the failure's class; null: it was not. */
  readonly reason: string | null;
  /** Of a delivery: to its answer; of a run: from arrival. */
  readonly ms: number;
}

export function datasetOf(env: object): AnalyticsEngineDataset | null {
  const bound: unknown = Reflect.get(env, "METRICS");
  return isDataset(bound) ? bound : null;
}

function isDataset(bound: unknown): bound is AnalyticsEngineDataset {
  return typeof bound === "object" && bound !== null && "writeDataPoint" in bound;
}

/** index1: the source; blob1 kind, blob2 outcome, blob3 reason; double1 one, double2 ms. docs/operations.md has queries over them. */
export function count(env: object, counts: readonly Count[]): void {
  const dataset = datasetOf(env);
  if (dataset === null) return;
  try {
    for (const { source, kind, outcome, reason, ms } of counts.slice(0, METRIC_POINTS_LIMIT))
      dataset.writeDataPoint({ indexes: [source ?? "-"], blobs: [kind, outcome, reason ?? ""], doubles: [1, ms] });
  } catch (error) {
    log("warn", "metrics_failed", { error: errorText(error) });
  }
}
