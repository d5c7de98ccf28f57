/** The two queues, the dead-letter consumer, the sweep, the operator, and time. */
import type { EventMessage } from "../../src/core/message.ts";
import { type Here, nothingMoves, spend } from "./here.ts";
import { stepObject } from "./object.ts";
import { received } from "./consumer-state.ts";
import { bytesIn, type Entry, factsOf, put, replaced, without, type World } from "./world.ts";

export function queueMoves(here: Here, recordMoves: (there: Here, index: number) => void): void {
  const { world, scenario } = here;
  const free = world.consumers.indexOf(null);
  for (const entry of world.queue) {
    if (here.has("loss") && isLosable(world, entry)) here.fault("loss", "the queue loses a message", (w) => (w.queue = without(w.queue, entry)));
    if (free === -1 || entry.waits) continue;
    const take = (label: string, as: "step" | "fault", entries: readonly Entry[]): void => {
      const got = (w: World): void => {
        if (as === "fault") spend(w, "dup");
        else for (const one of entries) w.queue = without(w.queue, one);
        w.consumers = replaced(w.consumers, free, received(entries, here.rules));
      };
      // Before it is recorded nobody can tell that it is not on the queue any more.
      here.through(`consumer ${free + 1} gets ${label}`, as, got, (there) => recordMoves(there, free));
    };
    take(describe(entry), "step", [entry]);
    if (here.has("dup")) take(`a copy of ${describe(entry)}`, "fault", [entry]);
    if (scenario.isPaired !== true) continue;
    for (const other of world.queue) if (other !== entry && !other.waits) take("two in a batch", "step", [entry, other]);
  }
  timePasses(here);
}

/** Not promised (DESIGN 1): what took the direct path and is lost before anyone ran it. A consumer that had it and died at once left nothing. */
function isLosable(world: World, entry: Entry): boolean {
  return !entry.message.direct || world.row !== null || world.memory !== null;
}

function describe({ message, retries, waits }: Entry): string {
  return `${message.direct ? "direct " : ""}message ${message.facts.digest}${message.bytes === null ? " without bytes" : ""}, opening ${message.opening}${retries > 0 ? `, retry ${retries}` : ""}${waits ? ", waiting" : ""}`;
}

/** Delays and leases run out; a lease not under the feet of whoever holds it (its deadline is shorter). */
function timePasses(here: Here): void {
  const { world } = here;
  const isHeld = world.consumers.some((one) => one?.isAlone === true);
  const runsOut = world.row !== null && ((world.row.leased && !isHeld) || world.row.dueInMs > 0);
  if (!runsOut && !world.queue.some(({ waits }) => waits)) return;
  here.step("time passes: delays and leases run out", (w) => {
    if (w.row !== null) w.row = { ...w.row, dueInMs: 0, leased: w.row.leased && isHeld };
    w.queue = w.queue.reduce<readonly Entry[]>((all, entry) => put(all, { ...entry, waits: false }), []);
  });
}

/** src/queue/dead-letter.ts: retries ran out, which says nothing of the event. */
export function deadLetterMoves(here: Here): void {
  const { world, rules } = here;
  const state = world.deadLetter;
  if (state === null) {
    for (const entry of world.deadLetters)
      here.step("dead letters: a message comes", (w) => {
        w.deadLetters = without(w.deadLetters, entry);
        w.deadLetter = { phase: "received", entry, settled: null };
      });
    return;
  }
  const { entry } = state;
  const back = (w: World): void => {
    w.deadLetters = put(w.deadLetters, { ...entry, retries: 0 });
    w.deadLetter = null;
  };
  const end = (w: World): void => {
    w.deadLetter = null;
  };
  switch (state.phase) {
    case "received": {
      const { row } = world;
      const found = row === null || row.status === "pending" ? null : { status: row.status, opening: row.opening, stored: row.body !== null };
      const isReopened = row?.status === "failed" && row.opening < entry.message.opening;
      const settled = isReopened ? null : found;
      if (settled !== null && row?.after !== "owed")
        here.step("dead letters: reads a settled row", (w) => (w.deadLetter = { ...state, phase: "to_tell", settled }));
      else if (rules.shells.sendsAgain) {
        const send = (w: World): void => {
          w.queue = put(w.queue, { message: entry.message, retries: 0, waits: false });
          w.deadLetter = { ...state, phase: "sent", settled };
        };
        here.step("dead letters: sends a fresh message", send);
        here.fault("refuse", "dead letters: the queue refuses", back);
      } else
        here.step("dead letters: judges", (w) => {
          if (w.row !== null) w.row = { ...w.row, status: "failed" };
          end(w);
        });
      here.fault("pg", "dead letters: Postgres is gone", back);
      here.crash(["dead_letter.received"], back);
      return;
    }
    case "sent":
      here.step("dead letters: acknowledges", (w) => {
        if (state.settled === null) end(w);
        else w.deadLetter = { ...state, phase: "to_tell" };
      });
      here.crash(["dead_letter.sent"], back);
      return;
    case "to_tell":
      here.step("dead letters: tells the claim", (w) => {
        tellClaim(w, state.settled, here);
        end(w);
      });
      here.fault("deaf", "dead letters: the claim is not told", end);
  }
}

export function tellClaim(
  w: World,
  settled: { readonly status: string; readonly opening: number; readonly stored: boolean } | null,
  here: Here,
): void {
  if (settled === null) return;
  const input =
    settled.status === "failed"
      ? ({ kind: "failed", opening: settled.opening, stored: settled.stored } as const)
      : ({ kind: "completed", opening: settled.opening } as const);
  stepObject(w, input, null, here.rules);
}

export function adoptEvent(w: World, message: EventMessage, here: Here): void {
  const bytes = bytesIn(message);
  stepObject(w, { kind: "adopt", facts: message.facts, opening: message.opening, hasBytes: bytes !== null }, bytes, here.rules);
}

/** src/sweep.ts and the replay of src/admin: both through the queue, never through the claim. */
export function ledgerMoves(here: Here): void {
  const { world, rules, scenario } = here;
  const { row } = world;
  if (row === null) return;
  const resend = (w: World): void => {
    w.queue = put(w.queue, { message: rules.messageForRow({ ...factsOf(row.digest, scenario), opening: row.opening }), retries: 0, waits: false });
  };
  if (rules.shells.sweeps && rules.ledger.isSwept(row) && world.lockedBy === null) {
    if (nothingMoves(world)) {
      here.step("the sweep sends the row's message again", resend);
      // Stamped and not sent: its next turn comes.
      here.crash(["sweep.stamped"], () => {});
      here.crash(["sweep.sent"], resend);
    } else here.fault("early", "the sweep sends the row's message early", resend);
  }
  if (world.replaying !== null) {
    here.step("operator: the replay's message is sent", (w) => {
      resend(w);
      w.replaying = null;
    });
    here.fault("refuse", "operator: the queue refuses the replay's message", (w) => (w.replaying = null));
    here.fault("die", "operator: dies before the replay's message", (w) => (w.replaying = null));
    return;
  }
  const replayed = world.lockedBy === null && here.has("replay") ? rules.ledger.replay(row, world.clock + 1) : null;
  if (replayed !== null)
    here.fault("replay", `operator: replays what is ${row.status}`, (w) => {
      w.clock += 1;
      w.row = replayed;
      w.replaying = replayed.opening;
      w.owed = replayed.status === "pending";
    });
}
