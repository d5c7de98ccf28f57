/** Pure. A replay of many events in words: what it would do, how far it is, how it ended, and the exit code that says so. */
import { countText, durationText, numberText, SECOND_MS } from "../../src/console/format.ts";
import type { ReplayPlan } from "../../src/core/operators.ts";
import { plain } from "../log/plain.ts";
import { table } from "../terminal.ts";
import type { RunView } from "./api.ts";
import type { SeenKinds } from "./kinds.ts";
import type { GroupOrder } from "./order.ts";

const KINDS_SHOWN = 20;
/** Of a table's cell: a provider's ids and types are shorter, a stranger's need not be. --json has them whole. */
const CELL_CHARACTERS = 60;

export function planText(
  { matched, permanent, withoutBytes, willReplay, seconds }: ReplayPlan,
  order: GroupOrder,
  { kinds, isAll }: SeenKinds,
): string {
  const aboveLimit = matched - permanent - withoutBytes - willReplay;
  const lines = [
    [
      numberText(willReplay),
      willReplay === 0 ? "to replay" : `to replay, ${order.ratePerSecond} a second: ${durationText(seconds * SECOND_MS)} at least`,
    ],
    [permanent, "left out: ended by a PermanentError or bad data, which another run does not help (--with-permanent takes them too)"],
    [withoutBytes, "left out: their bytes are not kept; only the provider can send them again"],
    [aboveLimit, `left for another time: above --limit ${order.rowLimit}`],
  ].filter(([count]) => count !== 0);
  const cells = lines.map(([count, words]) => [String(count).padStart(7), String(words)]);
  const shown = kinds
    .slice(0, KINDS_SHOWN)
    .map((kind) => [
      numberText(kind.count),
      kind.permanent === 0 ? "-" : numberText(kind.permanent),
      kind.fingerprint ?? "-",
      plain(kind.source),
      cell(kind.type),
      cell(kind.exampleId),
      cell(kind.title),
    ]);
  const head = ["events", "for good", "fingerprint", "source", "type", "for example", "error"];
  return [
    `${countText(matched, "event matches", "events match")}:`,
    table(cells, ""),
    ...(shown.length === 0 ? [] : ["", isAll ? "By kind:" : "The newest of them by kind:", table([head, ...shown])]),
    ...(kinds.length > KINDS_SHOWN ? [`  and ${countText(kinds.length - KINDS_SHOWN, "other kind")}`] : []),
  ].join("\n");
}

function cell(text: string): string {
  return plain(text.length > CELL_CHARACTERS ? `${text.slice(0, CELL_CHARACTERS).toWellFormed()}…` : text);
}

export function questionText({ willReplay }: ReplayPlan, { ratePerSecond }: GroupOrder, url: string): string {
  return `Replay ${countText(willReplay, "event")} on ${plain(url)}, ${ratePerSecond} a second? [y/N] `;
}

/** Beside the bar. */
export function progressText({ status, outcomes }: RunView): string {
  const { pending, failed } = outcomes;
  const again = failed === 0 ? "" : `, ${numberText(failed)} failed again`;
  return `${status === "running" ? "opened again" : "opened again; waiting until they are settled"}, ${numberText(pending)} at work${again}`;
}

export function endText({ id, status, replayed, willReplay, outcomes }: RunView): string {
  const lines = [`Replay ${plain(id)} is ${status}: ${numberText(replayed)} of ${countText(willReplay, "event")} opened again.`];
  const rows = [
    ["completed", outcomes.completed],
    ["skipped", outcomes.skipped],
    ["failed again", outcomes.failed],
    ["still at work", outcomes.pending],
  ] as const;
  if (replayed > 0) lines.push(table(rows.filter(([, count]) => count > 0).map(([name, count]) => [name.padEnd(13), numberText(count)])));
  if (status === "completed" && replayed < willReplay) lines.push("The others were opened, settled or dropped by somebody else meanwhile.");
  if (outcomes.pending > 0) lines.push("What is at work is tried for up to 12 hours: `npm run tail` shows it.");
  if (outcomes.failed > 0) lines.push("What failed again is a dead letter again: --dry-run shows it by kind, `npm run trace` one of them.");
  return lines.join("\n");
}

/** 0: opened, and none has failed again so far. */
export function exitCodeOf({ status, outcomes }: RunView): 0 | 1 | 3 {
  if (status !== "completed") return 1;
  return outcomes.failed > 0 ? 3 : 0;
}
