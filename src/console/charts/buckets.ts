/** Pure. What a chart draws of the figures. */
import type { StatsBucket } from "../../core/stats.ts";

/** More bars than this are thinner than what one can point at. */
const BARS_LIMIT = 120;

/** Neighbours added up until there are few enough. Counts alone: percentiles cannot be added, and are not drawn from this. */
export function gather(buckets: readonly StatsBucket[], bucketMs: number): { readonly buckets: readonly StatsBucket[]; readonly bucketMs: number } {
  const size = Math.ceil(buckets.length / BARS_LIMIT);
  if (size <= 1) return { buckets, bucketMs };
  const groups: StatsBucket[] = [];
  for (let start = 0; start < buckets.length; start += size) {
    const group = buckets.slice(start, start + size);
    const sum = (name: "received" | "completed" | "skipped" | "failed") => group.reduce((total, bucket) => total + bucket[name], 0);
    groups.push({
      atMs: group[0]?.atMs ?? 0,
      received: sum("received"),
      completed: sum("completed"),
      skipped: sum("skipped"),
      failed: sum("failed"),
      p50Ms: null,
      p95Ms: null,
      p99Ms: null,
    });
  }
  return { buckets: groups, bucketMs: bucketMs * size };
}

/** How many were open at the end of each bucket, reckoned back from how many are open now: what came later is taken off, what was settled later is put back. */
export function pendingOverTime(buckets: readonly StatsBucket[], pendingNow: number): readonly number[] {
  const open: number[] = [];
  let pending = pendingNow;
  for (const bucket of buckets.toReversed()) {
    open.unshift(Math.max(0, pending));
    pending += bucket.completed + bucket.skipped + bucket.failed - bucket.received;
  }
  return open;
}

/** Runs of neighbours that have a value: a line breaks where there is none. */
export function segments<Point>(points: readonly (Point | null)[]): readonly (readonly Point[])[] {
  const runs: Point[][] = [[]];
  for (const point of points) {
    if (point === null) runs.push([]);
    else runs.at(-1)?.push(point);
  }
  return runs.filter((run) => run.length > 0);
}
