/** Pure. The nouns of the admin API and the console: what operators ask for, and what they are shown. Times are epoch ms. */
import type { EventFacts, EventKey } from "./event.ts";
import type { Alert } from "./alerts.ts";
import type { AfterStatus, EventStatus } from "./settlement.ts";

/** Who ordered something: stands in every audit row. */
export interface Operator {
  /** The name given at sign-in, an Access identity's address, or `admin token`. */
  readonly name: string;
  readonly via: "token" | "session" | "access";
}

/** Every condition must hold; none: all events. */
export interface EventFilter {
  readonly status?: EventStatus;
  /** `failed`: the event completed, its `after` was given up. */
  readonly after?: AfterStatus;
  readonly source?: string;
  readonly type?: string;
  /** By arrival of the first delivery: from (inclusive), to (exclusive). */
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly idPrefix?: string;
  readonly fingerprint?: string;
}

/** Where a page of events begins: after this one, newest first. Opaque outside (`encodeCursor`). */
export interface EventCursor extends EventKey {
  readonly receivedAtMs: number;
}

export interface EventSummary extends EventKey {
  readonly type: string;
  readonly status: EventStatus;
  readonly reason: string | null;
  readonly after: AfterStatus;
  readonly receivedAtMs: number;
  readonly settledAtMs: number | null;
  /** Counted failures of this opening, and of all. */
  readonly attempts: number;
  readonly totalAttempts: number;
  readonly replays: number;
  /** Deliveries beyond the first, at least. */
  readonly duplicates: number;
  readonly mismatches: number;
  readonly fingerprint: string | null;
  /** First line of the last error. */
  readonly error: string | null;
}

export interface Attempt {
  readonly atMs: number;
  readonly opening: number;
  readonly class: string;
  readonly phase: string;
  readonly sqlstate: string | null;
  readonly constraint: string | null;
  readonly message: string;
  readonly stack: string | null;
}

export type AuditAction =
  | "replay"
  | "replay_forced"
  | "discard"
  | "erase"
  | "replay_group"
  | "replay_group_cancelled"
  | "alert_tested"
  | "signed_in"
  | "handshakes_read";

export interface AuditEntry {
  readonly id: number;
  readonly atMs: number;
  readonly actor: string;
  readonly action: AuditAction;
  readonly source: string | null;
  readonly eventId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** What the event's Durable Object holds; null fields: it was not told. */
export interface ClaimView {
  readonly status: "unclaimed" | "claimed" | "enqueued" | "completed" | "failed";
  readonly sinceMs: number | null;
  readonly opening: number | null;
  readonly hasBytes: boolean;
  readonly refusals: number;
  readonly watchdogs: number;
  readonly duplicates: number;
  readonly mismatches: number;
}

export interface Payload {
  /** The bytes as text; null: they are not UTF-8, or not kept any more. */
  readonly text: string | null;
  /** JSON, indented; null: it is none. */
  readonly pretty: string | null;
  /** Only the beginning is shown: the whole is at `.../payload`. */
  readonly isCut: boolean;
}

/** One event with all that is known of it. */
export interface EventStory extends EventFacts {
  readonly status: EventStatus;
  readonly reason: string | null;
  readonly opening: number;
  readonly attempts: number;
  readonly totalAttempts: number;
  readonly starts: number;
  readonly startedAtMs: number | null;
  readonly replays: number;
  readonly duplicates: number;
  readonly mismatches: number;
  readonly suspectedReplayOf: string | null;
  readonly settledAtMs: number | null;
  /** When its next message is, or was, due. */
  readonly sentAtMs: number;
  readonly after: AfterStatus;
  readonly afterAttempts: number;
  readonly hasBody: boolean;
  readonly lastError: string | null;
  readonly fingerprint: string | null;
  readonly build: string | null;
  /** Oldest first, the newest `STORY_ATTEMPTS_LIMIT`. */
  readonly attemptLog: readonly Attempt[];
  /** Oldest first. */
  readonly audit: readonly AuditEntry[];
  /** null: the object did not answer in time. */
  readonly claim: ClaimView | null;
  readonly payload: Payload;
}

/** Dead letters of one kind: the same source, type and error. */
export interface FailureGroup {
  readonly fingerprint: string;
  readonly source: string;
  readonly type: string;
  /** The error in words, without its values. */
  readonly title: string;
  readonly count: number;
  /** How many of them ended by a PermanentError or bad data: a replay alone will not help. */
  readonly permanent: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** One of them, to look at. */
  readonly exampleId: string;
}

/** What a replay of a group would do. */
export interface ReplayPlan {
  /** Failed events that match. */
  readonly matched: number;
  /** Of these: left out because they ended by a PermanentError or bad data, and the order does not force them. */
  readonly permanent: number;
  /** Of the others: without bytes, never replayed. */
  readonly withoutBytes: number;
  /** What is left, at most the limit. */
  readonly willReplay: number;
  /** At least. */
  readonly seconds: number;
}

export interface ReplayOrder {
  readonly filter: EventFilter;
  readonly withPermanent: boolean;
  readonly ratePerSecond: number;
  readonly rowLimit: number;
  readonly reason: string | null;
}

/** In a list. */
export interface ReplayRunSummary extends ReplayOrder {
  readonly id: string;
  readonly actor: string;
  readonly startedAtMs: number;
  readonly finishedAtMs: number | null;
  readonly status: "running" | "completed" | "cancelled";
  readonly matched: number;
  /** What the plan was when it began: `replayed` ends there, or below where others were faster. */
  readonly willReplay: number;
  readonly replayed: number;
  /** Why its last step did not go through; it is tried again. */
  readonly lastError: string | null;
}

export interface ReplayRunView extends ReplayRunSummary {
  /** Of the replayed: how they stand now. An `after` that is owed counts as pending, one that was given up as failed. */
  readonly outcomes: Readonly<Record<EventStatus, number>>;
}

export interface SourceView {
  readonly source: string;
  /** The preset's name in words. */
  readonly title: string;
  /** Where the provider posts. */
  readonly url: string;
  readonly docsUrl: string | null;
  readonly secret: "set" | "set, with next" | "missing";
  /** What is still needed, in words. */
  readonly hints: readonly string[];
  readonly lastReceivedAtMs: number | null;
  readonly lastDay: { readonly received: number; readonly completed: number; readonly skipped: number; readonly failed: number };
}

/** One thing that is not as it should be; of each kind and key at most one is open. */
export interface AlertView {
  readonly alert: Alert;
  readonly openedAtMs: number;
  /** null: it is open. */
  readonly closedAtMs: number | null;
  /** When the receiver of alerts took it; null: not yet, or there is none. */
  readonly toldAtMs: number | null;
}

/** RFC 9457, `application/problem+json`. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
}
