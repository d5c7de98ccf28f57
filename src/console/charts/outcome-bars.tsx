/** Events a minute, stacked by outcome, and what arrived as a line over them. */
import type { Stats, StatsBucket } from "../../core/stats.ts";
import { clockText, countText, MINUTE_MS, numberText, utcText } from "../format.ts";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/text.tsx";
import { gather } from "./buckets.ts";
import { Frame, Key, plotHeight, TOP, yOf } from "./frame.tsx";
import { linearScale, percent, timeScale, type Scale } from "./scale.ts";

const HEIGHT = 240;
/** Few stay visible beside many. */
const LEAST_PX = 2;
const OUTCOMES = ["completed", "skipped", "failed"] as const;

export function OutcomeBars({ stats }: { readonly stats: Stats }) {
  const { buckets, bucketMs } = gather(stats.buckets, stats.bucketMs);
  const aMinute = (count: number) => (count * MINUTE_MS) / bucketMs;
  const most = Math.max(0, ...buckets.map((bucket) => Math.max(bucket.received, settled(bucket))));
  const values = linearScale(aMinute(most));
  const times = timeScale(stats.fromMs, stats.toMs);
  const width = bucketMs / Math.max(1, stats.toMs - stats.fromMs);
  const { total } = stats;
  return (
    <Frame
      title="Events by outcome"
      unit="per minute"
      summary={`Events per minute from ${utcText(stats.fromMs)} to ${utcText(stats.toMs)} UTC: ${countText(total.received, "event")} received, ${numberText(total.completed)} completed, ${numberText(total.skipped)} skipped, ${numberText(total.failed)} failed.`}
      height={HEIGHT}
      values={values}
      valueText={numberText}
      times={times}
      legend={
        <>
          <Key sample="completed" name="Completed" figure={numberText(total.completed)} />
          <Key sample="skipped" name="Skipped" figure={numberText(total.skipped)} />
          <Key sample="failed" name="Failed" figure={numberText(total.failed)} />
          <Key sample="line received" name="Received" figure={numberText(total.received)} />
        </>
      }
      table={<OutcomeTable stats={stats} />}
    >
      <Hatch />
      {buckets.map((bucket) => (
        <Bar bucket={bucket} left={times.at(bucket.atMs)} width={width} values={values} aMinute={aMinute} untilMs={bucket.atMs + bucketMs} />
      ))}
      <Received points={buckets.map((bucket) => [times.at(bucket.atMs) + width / 2, values.at(aMinute(bucket.received))])} />
    </Frame>
  );
}

const settled = (bucket: StatsBucket): number => bucket.completed + bucket.skipped + bucket.failed;

interface BarProps {
  readonly bucket: StatsBucket;
  readonly left: number;
  readonly width: number;
  readonly values: Scale;
  readonly aMinute: (count: number) => number;
  readonly untilMs: number;
}

function Bar({ bucket, left, width, values, aMinute, untilMs }: BarProps) {
  let top = yOf(values, 0, HEIGHT);
  return (
    <g class="bucket">
      <title>{`${utcText(bucket.atMs).slice(0, 16)} to ${clockText(untilMs)} UTC: ${numberText(bucket.received)} received, ${numberText(bucket.completed)} completed, ${numberText(bucket.skipped)} skipped, ${numberText(bucket.failed)} failed`}</title>
      <rect class="hit" x={percent(left)} width={percent(width)} y={TOP} height={plotHeight(HEIGHT)} />
      {OUTCOMES.map((outcome) => {
        if (bucket[outcome] === 0) return null;
        const height = Math.max(LEAST_PX, values.at(aMinute(bucket[outcome])) * plotHeight(HEIGHT));
        top -= height;
        return <rect class={outcome} x={percent(left + width * 0.1)} width={percent(width * 0.8)} y={top.toFixed(2)} height={height.toFixed(2)} />;
      })}
    </g>
  );
}

/** Skipped is hatched: told from the others without colour. */
function Hatch() {
  return (
    <defs>
      <pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class="hatch-ground" width="4" height="4" />
        <rect class="hatch-line" width="2" height="4" />
      </pattern>
    </defs>
  );
}

function Received({ points }: { readonly points: readonly (readonly [x: number, y: number])[] }) {
  if (points.length < 2) return null;
  const path = points.map(([x, y], n) => `${n === 0 ? "M" : "L"}${(x * 1000).toFixed(1)} ${((1 - y) * 1000).toFixed(1)}`).join("");
  return (
    <svg class="line received" y={TOP} width="100%" height={plotHeight(HEIGHT)} viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

function OutcomeTable({ stats }: { readonly stats: Stats }) {
  return (
    <Table
      caption="Events by outcome"
      columns={[
        { name: "From" },
        { name: "Received", kind: "figure" },
        { name: "Completed", kind: "figure" },
        { name: "Skipped", kind: "figure" },
        { name: "Failed", kind: "figure" },
      ]}
    >
      {stats.buckets.map((bucket) => (
        <tr>
          <th scope="row">
            <Time atMs={bucket.atMs} />
          </th>
          {(["received", ...OUTCOMES] as const).map((name) => (
            <td class="figure">{numberText(bucket[name])}</td>
          ))}
        </tr>
      ))}
    </Table>
  );
}
