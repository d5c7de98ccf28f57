/** Pure. An event's story as moments in the order in which they happened. */
import type { Attempt, AuditEntry, EventStory } from "../core/operators.ts";
import { countText, durationText } from "./format.ts";
import type { Mood } from "./parts/mark.tsx";

export interface Moment {
  /** null: the ledger does not say when; it stands where it belongs. */
  readonly atMs: number | null;
  readonly mood: Mood;
  readonly title: string;
  /** Other people's text, or ours. */
  readonly text?: string;
  readonly attempt?: Attempt;
  readonly audit?: AuditEntry;
}

export function timelineOf(story: EventStory, nowMs: number): readonly Moment[] {
  const happened: Moment[] = [
    ...story.attemptLog.map((attempt) => attemptMoment(attempt)),
    ...story.audit.map((audit): Moment => ({ atMs: audit.atMs, mood: "neutral", title: actionText(audit.action), audit })),
    ...settledMoments(story),
  ];
  // Stable: what has the same time stays in the order above.
  const dated = happened.toSorted((one, other) => (one.atMs ?? 0) - (other.atMs ?? 0));
  return [...arrival(story), ...dated, ...afterMoments(story), ...pendingMoments(story, nowMs)];
}

function arrival(story: EventStory): readonly Moment[] {
  return [
    ...(story.occurredAtMs === null
      ? []
      : [{ atMs: story.occurredAtMs, mood: "neutral" as const, title: "Happened", text: "The provider says so." }]),
    { atMs: story.receivedAtMs, mood: "neutral", title: "Received", text: "Its first delivery was verified and stored." },
    ...(story.duplicates === 0
      ? []
      : [
          {
            atMs: null,
            mood: "neutral" as const,
            title: `Delivered again, at least ${countText(story.duplicates, "time")}`,
            text: story.mismatches === 0 ? "With the same bytes." : `${countText(story.mismatches, "time")} with other bytes: the first are kept.`,
          },
        ]),
  ];
}

function attemptMoment(attempt: Attempt): Moment {
  return {
    atMs: attempt.atMs,
    mood: attempt.class === "transient" ? "warning" : "failed",
    title: attempt.phase === "after" ? "Its after failed" : "An attempt failed",
    attempt,
  };
}

function settledMoments(story: EventStory): readonly Moment[] {
  if (story.settledAtMs === null || story.status === "pending") return [];
  const took = `${durationText(story.settledAtMs - story.receivedAtMs)} after it was received.`;
  const reason = story.reason === null ? "" : ` ${story.reason}`;
  switch (story.status) {
    case "completed":
      return [{ atMs: story.settledAtMs, mood: "completed", title: "Completed", text: `Committed ${took}` }];
    case "skipped":
      return [{ atMs: story.settledAtMs, mood: "skipped", title: `Skipped:${reason}`, text: took }];
    case "failed":
      return [{ atMs: story.settledAtMs, mood: "failed", title: `Became a dead letter:${reason}`, text: took }];
  }
}

function afterMoments(story: EventStory): readonly Moment[] {
  switch (story.after) {
    case "none":
      return [];
    case "owed":
      return [{ atMs: null, mood: "pending", title: "Its after is still to run", text: attemptsOfAfter(story) }];
    case "done":
      return [{ atMs: null, mood: "completed", title: "Its after has run", text: attemptsOfAfter(story) }];
    case "failed":
      return [
        {
          atMs: null,
          mood: "failed",
          title: "Its after was given up",
          text: `${attemptsOfAfter(story)} The event stays completed; a replay runs the after alone.`,
        },
      ];
  }
}

const attemptsOfAfter = (story: EventStory): string =>
  story.afterAttempts === 0 ? "No failure of it." : `${countText(story.afterAttempts, "failure")} of it.`;

function pendingMoments(story: EventStory, nowMs: number): readonly Moment[] {
  if (story.status !== "pending") return [];
  const running =
    story.startedAtMs === null || story.starts === 0
      ? []
      : [{ atMs: story.startedAtMs, mood: "running" as const, title: "A run began", text: "It has not ended yet, or died." }];
  const due = story.sentAtMs > nowMs ? "Its next attempt is due" : "Its message was handed over";
  return [...running, { atMs: story.sentAtMs, mood: "pending", title: due, text: "Pending: nothing to do." }];
}

export function actionText(action: AuditEntry["action"]): string {
  switch (action) {
    case "replay":
      return "Replayed";
    case "replay_forced":
      return "Forced again";
    case "discard":
      return "Discarded";
    case "erase":
      return "Bytes erased";
    case "replay_group":
      return "Group replay started";
    case "replay_group_cancelled":
      return "Group replay cancelled";
    case "signed_in":
      return "Signed in";
    case "handshakes_read":
      return "Handshakes read";
  }
}
