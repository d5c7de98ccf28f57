/** Pure. The verdict as anyone can read it, and the run drawn over time. */
import { table } from "../terminal.ts";
import { WRONGS, type Injected, type Verdict, type Wrong } from "./verdict.ts";
import { FAULT_KINDS } from "./schedule.ts";

export interface Run {
  readonly seed: number;
  readonly stack: string;
  readonly startMs: number;
  readonly durationMs: number;
  readonly missed: number;
  /** From the last fault until nothing was open; null: never within the time allowed. */
  readonly settledAfterMs: number | null;
}

const COLUMNS = 60;
const BARS = " ▁▂▃▄▅▆▇█";
const SHOWN_FINDINGS = 20;

export function report(verdict: Verdict, run: Run, ackTimesMs: readonly number[], faults: readonly Injected[]): string {
  const numbers = [
    ["sent", `${verdict.sent} deliveries of ${verdict.events} events`],
    ["acknowledged", `${verdict.acknowledged} deliveries of ${verdict.eventsAcknowledged} events`],
    ["forgeries refused", String(verdict.forgeriesRefused)],
    ["effects", String(verdict.effects)],
    ["dead-lettered", `${verdict.deadLetters}, each with its bytes, error and stack unless it says otherwise below`],
    ...Object.entries(WRONGS).map(([wrong, why]) => {
      const n = verdict.counts[wrong as Wrong];
      return [wrong, n === 0 ? "0" : `${n}  (${why})`];
    }),
    ["excused", `${verdict.excused}  (the local queue alone had them, and forgets when it is killed: DESIGN 1)`],
    ["settled", run.settledAfterMs === null ? "never" : `${seconds(run.settledAfterMs)} after the last fault`],
  ];
  const kinds = FAULT_KINDS.flatMap((kind) => {
    const n = verdict.faultsByKind[kind] ?? 0;
    return n === 0 ? [] : [[String(n).padStart(4), kind]];
  });
  const findings = verdict.findings.slice(0, SHOWN_FINDINGS).map(({ wrong, key, what }) => `  ${wrong}: ${key}: ${what}`);
  return [
    `chaos: seed ${run.seed}, ${seconds(run.durationMs)} on ${run.stack}`,
    "",
    ...timeline(run, ackTimesMs, faults),
    "",
    table(numbers),
    "",
    `  ${verdict.faults} faults of ${kinds.length} kinds${run.missed === 0 ? "" : ` (${run.missed} more found nothing to hit)`}`,
    table(kinds),
    ...(findings.length === 0 ? [] : ["", ...findings]),
    "",
    verdict.ok
      ? "PASSED: everything that was acknowledged took effect, once, or is there to be seen."
      : `FAILED: ${verdict.findings.length} findings. Run again with --seed ${run.seed}.`,
  ].join("\n");
}

/** Acknowledgements and faults per slice of time. */
export function timeline(
  { startMs, durationMs }: Pick<Run, "startMs" | "durationMs">,
  ackTimesMs: readonly number[],
  faults: readonly Injected[],
): string[] {
  const slots = (times: readonly number[]): number[] => {
    const counts = Array.from({ length: COLUMNS }, () => 0);
    for (const ms of times) {
      const at = Math.min(Math.max(Math.floor(((ms - startMs) / durationMs) * COLUMNS), 0), COLUMNS - 1);
      counts[at] = (counts[at] ?? 0) + 1;
    }
    return counts;
  };
  const acks = slots(ackTimesMs);
  const most = Math.max(1, ...acks);
  const struck = slots(faults.map(({ atMs }) => atMs));
  return [
    `  acks    ${acks.map((n) => BARS[Math.ceil((n / most) * (BARS.length - 1))] ?? " ").join("")}`,
    `  faults  ${struck.map((n) => (n === 0 ? "·" : n > 9 ? "+" : String(n))).join("")}`,
  ];
}

export function progressLine(
  elapsedMs: number,
  durationMs: number,
  now: {
    readonly sent: number;
    readonly acked: number;
    readonly effects: number | null;
    readonly open: number | null;
    readonly faults: number;
    readonly last: string;
  },
): string {
  const known = (n: number | null): string => (n === null ? "?" : String(n));
  return `${clock(elapsedMs)} of ${clock(durationMs)}  sent ${now.sent}, acknowledged ${now.acked}, effects ${known(now.effects)}, open ${known(now.open)}, faults ${now.faults}${now.last === "" ? "" : ` (${now.last})`}`;
}

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
const clock = (ms: number): string => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1_000) % 60).padStart(2, "0")}`;
