/** Pure. What a run came to: the schedule and the answers held against what Postgres says, event by event. */
import type { Answer } from "./sender.ts";
import type { Behaviour, FaultKind, PlannedEvent } from "./schedule.ts";

/** What Postgres holds of an event. */
export interface LedgerRow {
  readonly source: string;
  readonly eventId: string;
  readonly status: string;
  readonly reason: string | null;
  readonly after: string;
  readonly digest: string;
  /** The bytes that are kept have this digest; null: none are kept. */
  readonly bodyDigest: string | null;
  readonly hasError: boolean;
  readonly hasStack: boolean;
}

export interface Effect {
  readonly key: string;
  readonly times: number;
  readonly amount: number;
}

export interface Injected {
  readonly kind: FaultKind;
  readonly atMs: number;
  /** The stack answers again. */
  readonly overMs: number;
}

export interface Evidence {
  readonly events: readonly PlannedEvent[];
  readonly sent: number;
  readonly answers: readonly Answer[];
  readonly rows: readonly LedgerRow[];
  readonly effects: readonly Effect[];
  readonly balances: number;
  /** Keys that the listener of `after` has heard. */
  readonly heard: ReadonlySet<string>;
  /** SHA-256 of the bytes that were sent, by key. */
  readonly digests: ReadonlyMap<string, string>;
  readonly faults: readonly Injected[];
}

/** In order of how bad it is. Any of them fails the run. */
export const WRONGS = {
  lost: "acknowledged, and without its effect",
  doubled: "more effect than one event has",
  stuck: "acknowledged, and not completed, skipped or failed",
  "wrong end": "ended otherwise than its handler says",
  "no evidence": "a dead letter without its bytes, its error or its stack",
  altered: "kept or handled with other bytes than were sent",
  forged: "a forged delivery changed something",
} as const;
export type Wrong = keyof typeof WRONGS;

export interface Finding {
  readonly wrong: Wrong;
  readonly key: string;
  readonly what: string;
}

export interface Verdict {
  readonly ok: boolean;
  readonly sent: number;
  readonly acknowledged: number;
  readonly forgeriesRefused: number;
  readonly events: number;
  readonly eventsAcknowledged: number;
  readonly effects: number;
  readonly deadLetters: number;
  readonly counts: Readonly<Record<Wrong, number>>;
  readonly findings: readonly Finding[];
  /** Acknowledged around the claim only, and then the local queue was killed, which forgets: not promised (DESIGN 1), and no such queue on the platform. */
  readonly excused: number;
  readonly faults: number;
  readonly faultsByKind: Readonly<Partial<Record<FaultKind, number>>>;
}

/** What kills the local queue, which has all it holds in memory. */
const FORGETFUL: ReadonlySet<FaultKind> = new Set<FaultKind>(["runtime killed", "everything killed"]);

export const keyOf = (event: Pick<PlannedEvent, "source" | "id">): string => `${event.source}:${event.id}`;

/** How an event of this behaviour ends. */
export function endOf(behaviour: Behaviour): "completed" | "skipped" | "failed" | "refused" {
  switch (behaviour) {
    case "credit":
    case "batched":
    case "slow":
    case "flaky":
    case "hang":
    case "told":
      return "completed";
    case "skip":
      return "skipped";
    case "poison":
    case "permanent":
      return "failed";
    case "forged":
      return "refused";
  }
}

export function judge(evidence: Evidence): Verdict {
  const { events, answers, rows, effects, faults } = evidence;
  const byKey = {
    rows: new Map(rows.map((row) => [keyOf({ source: row.source as PlannedEvent["source"], id: row.eventId }), row])),
    effects: new Map(effects.map((effect) => [effect.key, effect])),
    acks: Map.groupBy(
      answers.filter(({ status }) => status >= 200 && status < 300),
      ({ event }) => keyOf(event),
    ),
  };
  const lastForgottenMs = Math.max(0, ...faults.filter(({ kind }) => FORGETFUL.has(kind)).map(({ overMs }) => overMs));
  const findings: Finding[] = [];
  let excused = 0;
  for (const event of events) {
    const key = keyOf(event);
    const acks = byKey.acks.get(key) ?? [];
    const row = byKey.rows.get(key) ?? null;
    const onlyTheQueueHadIt = acks.length > 0 && acks.every(({ isDirect, atMs }) => isDirect && atMs <= lastForgottenMs);
    if (row === null && onlyTheQueueHadIt) {
      excused++;
      continue;
    }
    const found = judgeEvent(event, acks.length > 0, row, byKey.effects.get(key) ?? null, evidence);
    findings.push(...found.map(({ wrong, what }) => ({ wrong, key, what })));
  }
  const credited = effects.reduce((sum, { amount }) => sum + amount, 0);
  if (credited !== evidence.balances)
    findings.push({ wrong: "doubled", key: "balances", what: `the balances hold ${evidence.balances}, the effects ${credited}` });
  const count = (wrong: Wrong): number => findings.filter((finding) => finding.wrong === wrong).length;
  const faultsByKind: Partial<Record<FaultKind, number>> = {};
  for (const { kind } of faults) faultsByKind[kind] = (faultsByKind[kind] ?? 0) + 1;
  return {
    ok: findings.length === 0,
    sent: evidence.sent,
    acknowledged: [...byKey.acks.values()].reduce((sum, acks) => sum + acks.length, 0),
    forgeriesRefused: answers.filter(({ status, event }) => status === 401 && event.behaviour === "forged").length,
    events: events.length,
    eventsAcknowledged: byKey.acks.size,
    effects: effects.reduce((sum, { times }) => sum + times, 0),
    deadLetters: rows.filter(({ status }) => status === "failed").length,
    counts: Object.fromEntries(Object.keys(WRONGS).map((wrong) => [wrong, count(wrong as Wrong)])) as Record<Wrong, number>,
    findings,
    excused,
    faults: faults.length,
    faultsByKind,
  };
}

function judgeEvent(
  event: PlannedEvent,
  isAcked: boolean,
  row: LedgerRow | null,
  effect: Effect | null,
  { heard, digests }: Evidence,
): Pick<Finding, "wrong" | "what">[] {
  const key = keyOf(event);
  const end = endOf(event.behaviour);
  if (end === "refused") return isAcked || row !== null || effect !== null ? [{ wrong: "forged", what: isAcked ? "acknowledged" : "a row" }] : [];
  const found: Pick<Finding, "wrong" | "what">[] = [];
  const times = effect?.times ?? 0;
  const isDone = row?.status === "completed";
  if (times > (end === "completed" ? 1 : 0)) found.push({ wrong: "doubled", what: `${times} effects` });
  else if (effect !== null && effect.amount !== event.amount)
    found.push({ wrong: "doubled", what: `an effect of ${effect.amount}, not of ${event.amount}` });
  if (row !== null && (row.digest !== digests.get(key) || (row.bodyDigest !== null && row.bodyDigest !== row.digest)))
    found.push({ wrong: "altered", what: `digest ${row.digest.slice(0, 12)}` });
  if (isDone && end === "completed" && times === 0) found.push({ wrong: "lost", what: "completed without its effect" });
  // Never acknowledged, it may have come to nothing; what it came to is judged above.
  if (!isAcked) return found;
  if (row === null) found.push({ wrong: "lost", what: "no row" });
  else if (row.status === "pending") found.push({ wrong: "stuck", what: "pending" });
  else if (row.after === "owed") found.push({ wrong: "stuck", what: "after owed" });
  else if (row.status !== end) found.push({ wrong: "wrong end", what: `${row.status}${row.reason === null ? "" : ` (${row.reason})`}, not ${end}` });
  else if (end === "failed" && !(row.bodyDigest !== null && row.hasError && row.hasStack))
    found.push({ wrong: "no evidence", what: event.behaviour });
  else if (event.behaviour === "told" && !(row.after === "done" && heard.has(key))) found.push({ wrong: "wrong end", what: `after ${row.after}` });
  return found;
}
