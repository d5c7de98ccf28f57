/** Pure. One event's story as lines for a terminal: how it stands, what happened when, what its claim holds, and what can be done. */
import { type Moment, timelineOf } from "../../src/console/timeline.ts";
import { bytesText, countText, isoText } from "../../src/console/format.ts";
import type { EventStory } from "../../src/core/operators.ts";
import { type Paint, unpainted } from "../log/fact.ts";
import { plain } from "../log/plain.ts";

export interface StoryLook {
  readonly nowMs: number;
  /** Each attempt's stack too. */
  readonly withStacks: boolean;
  readonly paint?: Paint;
}

const MARKS: Readonly<Record<Moment["mood"], readonly [mark: string, tone: Parameters<Paint>[0]]>> = {
  pending: ["…", "yellow"],
  running: ["▶", "yellow"],
  completed: ["✓", "green"],
  skipped: ["»", "cyan"],
  failed: ["✗", "red"],
  cancelled: ["■", "yellow"],
  warning: ["!", "yellow"],
  neutral: ["·", "dim"],
};
const INDENT = " ".repeat(28);

export function storyLines(story: EventStory, { nowMs, withStacks, paint = unpainted }: StoryLook): readonly string[] {
  const [mark, tone] = MARKS[story.status];
  const reason = story.reason === null ? "" : `: ${plain(story.reason)}`;
  return [
    `${paint(tone, `${mark} ${story.status}${reason}`)}  ${plain(story.source)} ${paint("cyan", plain(story.id))} ${plain(story.type)}`,
    "",
    ...timelineOf(story, nowMs).flatMap((moment) => momentLines(moment, withStacks, paint)),
    "",
    ...factsOf(story).map(([name, value]) => `  ${paint("dim", name.padEnd(12))}${value}`),
    "",
    ...advice(story).map((line) => `  ${line}`),
  ];
}

function momentLines({ atMs, mood, title, text, attempt, audit }: Moment, withStacks: boolean, paint: Paint): readonly string[] {
  const [mark, tone] = MARKS[mood];
  const time = (atMs === null ? "" : (isoText(atMs) ?? String(atMs))).padEnd(24);
  const lines = [`${paint("dim", time)}  ${paint(tone, mark)} ${plain(title)}`];
  if (text !== undefined) lines.push(INDENT + paint("dim", plain(text)));
  if (audit !== undefined) {
    const { reason, ...details } = audit.details;
    const why = typeof reason === "string" && reason !== "" ? `: ${plain(reason)}` : "";
    lines.push(`${INDENT}by ${plain(audit.actor)}${typeof details["via"] === "string" ? ` (${plain(details["via"])})` : ""}${why}`);
  }
  if (attempt !== undefined) {
    const told = [attempt.class, `in ${attempt.phase}`, ...(attempt.sqlstate === null ? [] : [`SQLSTATE ${attempt.sqlstate}`])];
    if (attempt.constraint !== null) told.push(`constraint ${attempt.constraint}`);
    lines.push(INDENT + paint(tone, plain(attempt.message.split("\n", 1)[0] ?? "")), INDENT + paint("dim", plain(told.join(", "))));
    if (withStacks && attempt.stack !== null) lines.push(...attempt.stack.split("\n").map((frame) => INDENT + paint("dim", plain(frame.trim()))));
  }
  return lines;
}

function factsOf(story: EventStory): readonly (readonly [name: string, value: string])[] {
  const { claim } = story;
  const payload = story.hasBody ? `${bytesText(story.bytesLength)}, SHA-256 ${story.digest.slice(0, 12)}` : "its bytes are not kept any more";
  return [
    ["attempts", `${story.attempts} since it was opened, ${story.totalAttempts} in all`],
    ["deliveries", `${countText(1 + story.duplicates, "delivery", "deliveries")} at least${mismatched(story)}`],
    ["replays", String(story.replays)],
    ["payload", payload],
    [
      "claim",
      claim === null
        ? "did not answer in time"
        : `${claim.status}${claim.sinceMs === null ? "" : ` since ${isoText(claim.sinceMs) ?? claim.sinceMs}`}`,
    ],
    ...(story.suspectedReplayOf === null ? [] : [["suspected", `has the bytes of ${plain(story.suspectedReplayOf)}`] as const]),
    ...(story.fingerprint === null ? [] : [["kind", story.fingerprint] as const]),
    ...(story.build === null ? [] : [["build", plain(story.build)] as const]),
  ];
}

const mismatched = ({ mismatches }: EventStory): string =>
  mismatches === 0 ? "" : `, ${countText(mismatches, "time")} with other bytes (the first are kept)`;

/** What helps at three in the morning: the next command, ready to be copied. */
function advice(story: EventStory): readonly string[] {
  const key = `${shellWord(story.source)} ${shellWord(story.id)}`;
  if (story.status === "pending") return ["It is open for work: wait, or look at `npm run tail -- --event <id>`."];
  if (!story.hasBody) return ["Only the provider can send it again: its bytes are not kept."];
  if (story.status === "completed" && story.after === "failed") return [`Run its after again: npm run replay -- ${key}`];
  if (story.status === "completed") return [`Done. Its effect once more, if that is meant: npm run replay -- ${key} --force --reason "..."`];
  return [`Run it again: npm run replay -- ${key}`];
}

/** Hostile ids are not run by the shell that they are pasted into. */
export function shellWord(text: string): string {
  return /^[\w.:@/+-]+$/.test(text) && !text.startsWith("-") ? text : `'${plain(text).replaceAll("'", String.raw`'\''`)}'`;
}
