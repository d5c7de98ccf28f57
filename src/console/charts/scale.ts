/** Pure. From values to places: round ticks that a reader expects, and the fraction of the axis at which a value stands. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../format.ts";

export interface Scale {
  readonly ticks: readonly number[];
  /** 0 at the axis' beginning, 1 at its end. */
  readonly at: (value: number) => number;
}

/** From 0 to a round number at or above `most`, in at most `steps` steps of 1, 2 or 5 of a power of ten. */
export function linearScale(most: number, steps = 4): Scale {
  const wanted = Math.max(most, Number.MIN_VALUE) / steps;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = most <= 0 ? 1 : power * ([1, 2, 5, 10].find((factor) => factor * power >= wanted * (1 - 1e-9)) ?? 10);
  const count = most <= 0 ? 1 : Math.max(1, Math.ceil(most / step - 1e-9));
  const end = step * count;
  return { ticks: Array.from({ length: count + 1 }, (_, n) => Number((n * step).toPrecision(12))), at: (value) => clamp(value / end) };
}

/** Round durations, a factor of ten apart as far as units allow it. */
const DURATIONS_MS = [1, 10, 100, SECOND_MS, 10 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 10 * HOUR_MS, DAY_MS, 10 * DAY_MS, 100 * DAY_MS];

/** Spread wider than this, and the small ones would lie on the floor of a linear axis. */
const LOG_FROM_RATIO = 20;

/** Of durations: linear while they are alike, logarithmic where they differ by much. */
export function durationScale(leastMs: number, mostMs: number): Scale {
  const least = Math.max(1, leastMs);
  const most = Math.max(least, mostMs);
  if (most / least < LOG_FROM_RATIO) return durationLinear(most);
  const first = DURATIONS_MS.findLastIndex((tick) => tick <= least);
  const last = DURATIONS_MS.findIndex((tick) => tick >= most);
  const ticks = DURATIONS_MS.slice(Math.max(0, first), last === -1 ? undefined : last + 1);
  const [low, high] = [ticks[0] ?? 1, ticks.at(-1) ?? most];
  return { ticks, at: (value) => clamp(Math.log(Math.max(value, low) / low) / Math.log(high / low)) };
}

/** Ticks round in the unit that they are told in: 15, 30, 45 s and not 16.7. */
function durationLinear(mostMs: number): Scale {
  const unit = mostMs >= 2 * HOUR_MS ? HOUR_MS : mostMs >= 2 * MINUTE_MS ? MINUTE_MS : 1;
  const { ticks, at } = linearScale(mostMs / unit);
  return { ticks: ticks.map((tick) => tick * unit), at: (value) => at(value / unit) };
}

const TIME_STEPS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  10 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  2 * DAY_MS,
  5 * DAY_MS,
  7 * DAY_MS,
  14 * DAY_MS,
  30 * DAY_MS,
];

export interface TimeScale extends Scale {
  readonly stepMs: number;
}

/** Round moments of UTC within the time, about six of them. */
export function timeScale(fromMs: number, toMs: number, most = 7): TimeScale {
  const span = Math.max(1, toMs - fromMs);
  const stepMs = TIME_STEPS_MS.find((step) => span / step <= most) ?? Math.ceil(span / most / DAY_MS) * DAY_MS;
  const first = Math.ceil(fromMs / stepMs) * stepMs;
  const ticks: number[] = [];
  for (let tick = first; tick <= toMs; tick += stepMs) ticks.push(tick);
  return { stepMs, ticks, at: (value) => clamp((value - fromMs) / span) };
}

const clamp = (fraction: number): number => Math.min(1, Math.max(0, fraction));

/** A place as SVG wants it, without the noise of floats. */
export function percent(fraction: number): string {
  return `${Number((fraction * 100).toFixed(3))}%`;
}
