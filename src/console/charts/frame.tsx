/**
 * A chart's frame: title, legend, both axes, and its figures as a table. Text keeps its size at every width: what is across stands in percent, what is
 * upright in pixels, and the axis has a column of its own.
 */
import type { Child } from "hono/jsx";
import { clockText, DAY_MS, dayText, isoText } from "../format.ts";
import { percent, type Scale, type TimeScale } from "./scale.ts";

export const TOP = 10;
const BOTTOM = 24;

/** Where a value stands, in pixels from the top. */
export function yOf(scale: Scale, value: number, height: number): number {
  return Number((TOP + (1 - scale.at(value)) * plotHeight(height)).toFixed(2));
}

export const plotHeight = (height: number): number => height - TOP - BOTTOM;

interface FrameProps {
  readonly title: string;
  /** In a sentence, for those who do not see it. */
  readonly summary: string;
  readonly legend: Child;
  readonly unit: string;
  readonly height: number;
  readonly values: Scale;
  readonly valueText: (value: number) => string;
  readonly times: TimeScale;
  readonly table: Child;
  readonly children: Child;
}

export function Frame({ title, summary, legend, unit, height, values, valueText, times, table, children }: FrameProps) {
  const base = yOf(values, values.ticks[0] ?? 0, height);
  return (
    <figure class="chart">
      <figcaption>
        <h2>
          {title} <small>{unit}</small>
        </h2>
        <ul class="legend">{legend}</ul>
      </figcaption>
      <div class="plot">
        <svg class="axis" width="64" height={height} aria-hidden="true" focusable="false">
          {values.ticks.map((tick) => (
            <text x="56" y={yOf(values, tick, height)} dy="0.32em" text-anchor="end">
              {valueText(tick)}
            </text>
          ))}
        </svg>
        <svg class="canvas" width="100%" height={height} role="img" aria-label={summary}>
          {values.ticks.map((tick) => (
            <line class="grid" x1="0" x2="100%" y1={yOf(values, tick, height)} y2={yOf(values, tick, height)} />
          ))}
          {children}
          <line class="base" x1="0" x2="100%" y1={base} y2={base} />
          {times.ticks.map((tick, n) => (
            <TimeTick atMs={tick} fraction={times.at(tick)} isDay={times.stepMs >= DAY_MS} isMinor={n % 2 === 1} y={height} />
          ))}
        </svg>
      </div>
      <details class="figures">
        <summary>Figures of {title.toLowerCase()}</summary>
        {table}
      </details>
    </figure>
  );
}

function TimeTick({
  atMs,
  fraction,
  isDay,
  isMinor,
  y,
}: {
  readonly atMs: number;
  readonly fraction: number;
  readonly isDay: boolean;
  readonly isMinor: boolean;
  readonly y: number;
}) {
  const anchor = fraction < 0.03 ? "start" : fraction > 0.97 ? "end" : "middle";
  return (
    <text
      class={isMinor ? "minor" : undefined}
      x={percent(fraction)}
      y={y - 7}
      text-anchor={anchor}
      data-clock={isDay ? undefined : (isoText(atMs) ?? undefined)}
    >
      {isDay ? dayText(atMs) : clockText(atMs)}
    </text>
  );
}

/** A line of the legend: a sample of how it is drawn, its name, its sum. */
export function Key({ sample, name, figure }: { readonly sample: string; readonly name: string; readonly figure?: string }) {
  return (
    <li>
      <svg class={`sample ${sample}`} width="18" height="12" aria-hidden="true" focusable="false">
        {sample.startsWith("line") ? <line x1="1" x2="17" y1="6" y2="6" /> : <rect x="2" y="1" width="14" height="10" rx="2" />}
      </svg>
      {name}
      {figure !== undefined && <b>{figure}</b>}
    </li>
  );
}
