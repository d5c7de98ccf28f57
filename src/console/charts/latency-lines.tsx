/** From arrival to commit: half, nineteen of twenty, and 99 of 100 were faster than these lines. */
import type { Stats, StatsBucket } from "../../core/stats.ts";
import { durationText, utcText } from "../format.ts";
import { Empty } from "../parts/notice.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/text.tsx";
import { segments } from "./buckets.ts";
import { Frame, Key, plotHeight, TOP } from "./frame.tsx";
import { durationScale, percent, type Scale, timeScale } from "./scale.ts";

const HEIGHT = 200;
const LINES = [
  ["p50Ms", "p50"],
  ["p95Ms", "p95"],
  ["p99Ms", "p99"],
] as const;
type Place = readonly [x: number, y: number];

const toldMs = (ms: number | null): string => (ms === null ? "none" : durationText(ms));

export function LatencyLines({ stats }: { readonly stats: Stats }) {
  const told = stats.buckets.flatMap((bucket) => LINES.flatMap(([name]) => bucket[name] ?? []));
  if (told.length === 0) {
    return (
      <section class="chart">
        <h2>Arrival to commit</h2>
        <Empty title="No latency yet.">Nothing was completed in this time.</Empty>
      </section>
    );
  }
  const values = durationScale(Math.min(...told), Math.max(...told));
  const times = timeScale(stats.fromMs, stats.toMs);
  const width = stats.bucketMs / Math.max(1, stats.toMs - stats.fromMs);
  const line = (name: (typeof LINES)[number][0]) => places(stats.buckets, name, times, values, width);
  const { total } = stats;
  return (
    <Frame
      title="Arrival to commit"
      unit={[values.ticks[0] === 0 ? "" : "logarithmic", stats.percentilesOf === "hours" ? "of the worst hour" : ""]
        .filter((text) => text !== "")
        .join(", ")}
      summary={`From arrival to commit, from ${utcText(stats.fromMs)} to ${utcText(stats.toMs)} UTC: half within ${toldMs(total.p50Ms)}, 95 of 100 within ${toldMs(total.p95Ms)}, 99 of 100 within ${toldMs(total.p99Ms)}.`}
      height={HEIGHT}
      values={values}
      valueText={(tick) => (tick === 0 ? "0" : durationText(tick))}
      times={times}
      legend={LINES.map(([name, text]) => (
        <Key sample={`line ${text}`} name={text} figure={toldMs(total[name])} />
      ))}
      table={<LatencyTable buckets={stats.buckets} />}
    >
      <svg class="lines" y={TOP} width="100%" height={plotHeight(HEIGHT)} viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true">
        <path class="between" d={band(line("p50Ms"), line("p95Ms"))} />
        {LINES.map(([name, text]) => (
          <path class={text} d={segments(line(name)).map(stroke).join("")} />
        ))}
      </svg>
      {stats.buckets.map((bucket) => (
        <g class="bucket">
          <title>{`${utcText(bucket.atMs).slice(0, 16)} UTC: p50 ${toldMs(bucket.p50Ms)}, p95 ${toldMs(bucket.p95Ms)}, p99 ${toldMs(bucket.p99Ms)}`}</title>
          <rect class="hit" x={percent(times.at(bucket.atMs))} width={percent(width)} y={TOP} height={plotHeight(HEIGHT)} />
        </g>
      ))}
    </Frame>
  );
}

function places(
  buckets: readonly StatsBucket[],
  name: "p50Ms" | "p95Ms" | "p99Ms",
  times: Scale,
  values: Scale,
  width: number,
): readonly (Place | null)[] {
  return buckets.map((bucket) => {
    const value = bucket[name];
    return value === null ? null : [(times.at(bucket.atMs) + width / 2) * 1000, (1 - values.at(value)) * 1000];
  });
}

const place = ([x, y]: Place): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** One point alone is a dot: a line of no length with round ends. */
function stroke(run: readonly Place[]): string {
  return `M${run.map(place).join("L")}${run.length === 1 ? "h.01" : ""}`;
}

/** The ground between two lines, where both have a value. */
function band(lower: readonly (Place | null)[], upper: readonly (Place | null)[]): string {
  const pairs = lower.map((low, n) => {
    const high = upper[n] ?? null;
    return low === null || high === null ? null : ([low, high] as const);
  });
  return segments(pairs)
    .map((run) => `M${[...run.map(([low]) => low), ...run.toReversed().map(([, high]) => high)].map(place).join("L")}Z`)
    .join("");
}

function LatencyTable({ buckets }: { readonly buckets: readonly StatsBucket[] }) {
  return (
    <Table caption="Arrival to commit" columns={[{ name: "From" }, ...LINES.map(([, name]) => ({ name, kind: "figure" as const }))]}>
      {buckets.map((bucket) => (
        <tr>
          <th scope="row">
            <Time atMs={bucket.atMs} />
          </th>
          {LINES.map(([name]) => (
            <td class="figure">{toldMs(bucket[name])}</td>
          ))}
        </tr>
      ))}
    </Table>
  );
}
