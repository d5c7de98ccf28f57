/** Many events in one transaction, optimistic: no savepoints. What fails rolls all back, and the rest is run again in smaller pieces, down to single events. */
import { eventKeyText } from "../core/event.ts";
import type { EventMessage } from "../core/message.ts";
import { faultPoint } from "../fault-points.ts";
import { BatchHandler, type Route } from "../handler.ts";
import { isToSplit, type SplittingProvider } from "../providers/items.ts";
import { classify, type Phase } from "../store/classify.ts";
import { lock, type LockedRow } from "../store/statements/lock.ts";
import { type Settled, settle } from "../store/statements/settle.ts";
import type { Transaction } from "../store/transaction.ts";
import { type Alone, found, settled } from "./alone.ts";
import type { Consumer } from "./consume.ts";
import type { RunTimes } from "./log-outcome.ts";
import { isRunnable, runBatch, runOne, type Turn, turnOf } from "./run-handler.ts";
import { inTime, Outage, type Session } from "./session.ts";
import { Splitting } from "./split.ts";
import { suspectedReplays } from "./suspected-replays.ts";
import type { Work } from "./work.ts";

/** What a transaction has come to, for whoever has to make sense of its failure. */
interface Progress {
  phase: Phase;
  /** Whose handler has its turn: one event, or a group of a batch handler. */
  running: readonly Work[];
  turnStartMs: number;
  readonly rows: Map<Work, LockedRow>;
}

/** Whose turn has ended, and when it was. */
type Ended = readonly [Work, Settled, RunTimes];

interface Done {
  readonly ended: readonly Ended[];
  readonly found: readonly (readonly [Work, LockedRow])[];
  readonly held: readonly Work[];
  readonly leftover: readonly Work[];
  readonly splitting: Splitting;
  readonly messages: readonly EventMessage[];
}

interface Ready {
  readonly work: Work;
  readonly row: LockedRow;
  readonly turn: Turn;
}

export class Together {
  readonly #session: Session;
  readonly #consumer: Consumer;

  constructor(session: Session, consumer: Consumer) {
    this.#session = session;
    this.#consumer = consumer;
  }

  /** Works of one call are recorded, have bytes and are in key order. Returns those whose row somebody else holds. */
  async run(works: readonly Work[], alone: Alone): Promise<Work[]> {
    const held: Work[] = [];
    // Deliveries that are split come first and by themselves: no handler's locks are held while they wait for another consumer that adds the same events.
    const splits = works.filter((work) => this.#splitter(work) !== null);
    const pieces: (readonly Work[])[] = [works.filter((work) => !splits.includes(work)), splits];
    for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
      const open = piece.filter((work) => inTime(work, this.#session));
      const [only] = open;
      if (only === undefined) continue;
      if (open.length === 1) await alone.run(only);
      else pieces.push(...(await this.#piece(open, held, alone)).toReversed());
    }
    return held;
  }

  /** Runs a piece; returns what is still to be run, in pieces. */
  async #piece(piece: readonly Work[], held: Work[], alone: Alone): Promise<(readonly Work[])[]> {
    const { config } = this.#session;
    const progress: Progress = { phase: "lock", running: [], turnStartMs: Date.now(), rows: new Map() };
    try {
      const startMs = Date.now();
      const done = await this.#session.transaction((transaction) => this.#turns(transaction, piece, progress, startMs));
      if (FAULTS) await faultPoint("consume.committed");
      await done.splitting.send(done.messages, this.#consumer);
      for (const [work, outcome, times] of done.ended) settled(work, outcome, progress.rows.get(work) ?? null, times, config.logSuccessRate);
      for (const [work, row] of done.found) found(work, row);
      held.push(...done.held);
      return done.leftover.length === 0 ? [] : [done.leftover];
    } catch (error) {
      return this.#smaller(piece, progress, error, alone);
    }
  }

  async #turns(transaction: Transaction, piece: readonly Work[], progress: Progress, startMs: number): Promise<Done> {
    const { config } = this.#session;
    const rows = await lock(
      transaction.db,
      piece.map((work) => work.key),
      "skip",
    );
    const seen = piece.map((work) => ({ work, row: rows.find((row) => row.source === work.key.source && row.id === work.key.id) }));
    const runnable = seen.flatMap(({ work, row }) => (row === undefined || !isRunnable(row) ? [] : [{ work, row }]));
    for (const { work, row } of runnable) progress.rows.set(work, row);
    if (FAULTS) await faultPoint("consume.locked");
    const replays = await suspectedReplays(
      transaction.db,
      runnable.map(({ row }) => row),
      this.#consumer,
    );
    progress.phase = "handler";
    const splitting = new Splitting();
    const ready: Ready[] = [];
    const ended: Ended[] = [];
    const leftover: Work[] = [];
    for (const { work, row } of runnable) {
      progress.running = [work];
      progress.turnStartMs = Date.now();
      const splitter = this.#splitter(work);
      if (splitter === null) ready.push({ work, row, turn: await turnOf(row, replays.get(eventKeyText(row)) ?? null, this.#consumer) });
      else ended.push([work, await splitting.add(row, splitter), timesOf(progress)]);
    }
    progress.running = ended.map(([work]) => work);
    progress.phase = "record";
    const messages = await splitting.write(transaction.db);
    progress.phase = "handler";
    for (const turn of turnsOf(ready)) {
      // Locks are not held for longer than this: what has ended commits, the rest is the next piece.
      if (Date.now() - startMs >= config.timings.transactionBudgetMs) {
        leftover.push(...turn.map(({ work }) => work));
        continue;
      }
      progress.running = turn.map(({ work }) => work);
      progress.turnStartMs = Date.now();
      for (const [work, outcome] of await this.#turn(transaction, turn)) ended.push([work, outcome, timesOf(progress)]);
    }
    progress.running = [];
    progress.phase = "settle";
    if (FAULTS) await faultPoint("consume.handled");
    if (ended.length > 0)
      await settle(
        transaction.db,
        ended.map(([, outcome]) => outcome),
        config.build,
      );
    progress.phase = "commit";
    if (FAULTS) await faultPoint("consume.settled");
    return {
      ended,
      found: seen.flatMap(({ work, row }) => (row === undefined || row.status === "pending" ? [] : [[work, row] as const])),
      held: seen.flatMap(({ work, row }) => (row === undefined || (row.status === "pending" && !isRunnable(row)) ? [work] : [])),
      leftover,
      splitting,
      messages,
    };
  }

  async #turn(transaction: Transaction, turn: readonly Ready[]): Promise<(readonly [Work, Settled])[]> {
    const { config } = this.#session;
    const [first] = turn;
    if (first === undefined) return [];
    const route = routeOf(first);
    if (route !== null && route.handler instanceof BatchHandler) {
      const rows = turn.map(({ row, turn }) => ({ row, replayOf: turn.kind === "handler" ? turn.replayOf : null }));
      const outcomes = await runBatch(transaction, rows, route, route.handler, config);
      return turn.flatMap(({ work }, index) => {
        const outcome = outcomes[index];
        return outcome === undefined ? [] : [[work, outcome] as const];
      });
    }
    return [[first.work, await runOne(transaction, first.row, first.turn, config)]];
  }

  /** The page that says how to split this; null: it is an event. */
  #splitter({ key }: Work): SplittingProvider | null {
    const provider = this.#consumer.provider(key.source);
    return isToSplit(provider, key.id) ? provider : null;
  }

  /** Who is to blame is run alone, where a failure counts; the others in pieces without it. */
  async #smaller(piece: readonly Work[], progress: Progress, error: unknown, alone: Alone): Promise<(readonly Work[])[]> {
    const elapsedMs = Date.now() - progress.turnStartMs;
    const [culprit] = progress.running;
    const row = culprit === undefined ? null : (progress.rows.get(culprit) ?? null);
    const failure = classify(error, {
      phase: progress.phase,
      handlerElapsedMs: elapsedMs,
      openedAgoMs: row === null ? 0 : Date.now() - row.opening,
      timings: this.#session.config.timings,
    });
    if (this.#session.isLost()) for (const work of progress.running) work.suspect = true;
    if (failure.class === "transient" && (this.#session.isLost() || culprit === undefined))
      throw new Outage(`${progress.phase}: ${failure.message}`, { cause: error });
    // Nobody's turn, and not an outage: a handler's deferred constraint speaks at the commit. Alone it will say whose.
    if (culprit === undefined) return piece.map((work) => [work]);
    if (progress.running.length > 1) return [...halves(progress.running), piece.filter((work) => !progress.running.includes(work))];
    // It has had its deadline; a second one would only hold up the others.
    if (failure.class === "handler_timeout" && row !== null) await alone.count(culprit, row, failure, "handler", { handlerMs: elapsedMs });
    const at = piece.indexOf(culprit);
    return [piece.slice(0, at), [culprit], piece.slice(at + 1)];
  }
}

const timesOf = ({ turnStartMs }: Progress): RunTimes => ({ startMs: turnStartMs, handledMs: Date.now() });

const routeOf = ({ turn }: Ready): Route | null => (turn.kind === "handler" ? turn.route : null);

/** A turn an event, but one for all events of a batch handler, at the place of their first. */
function turnsOf(ready: readonly Ready[]): Ready[][] {
  const turns: Ready[][] = [];
  const groups = new Map<Route, Ready[]>();
  for (const one of ready) {
    const route = routeOf(one);
    const group = route === null ? undefined : groups.get(route);
    if (group !== undefined) {
      group.push(one);
      continue;
    }
    const turn = [one];
    turns.push(turn);
    if (route !== null && route.handler instanceof BatchHandler) groups.set(route, turn);
  }
  return turns;
}

function halves(works: readonly Work[]): (readonly Work[])[] {
  const middle = Math.ceil(works.length / 2);
  return [works.slice(0, middle), works.slice(middle)];
}
