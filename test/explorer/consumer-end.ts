/** The end of a batch (src/queue/conclude.ts): starts released, claim told, or the event handed to it, message acknowledged or given back. */
import { concluding, die, giveMessagesBack } from "./consumer-state.ts";
import type { Turn } from "./turn.ts";
import { resetObject } from "./object.ts";
import { adoptEvent, tellClaim } from "./queues.ts";
import { replaced, type World } from "./world.ts";

export function releaseMoves(turn: Turn): void {
  const { here, state, index, who } = turn;
  const { rules, world } = here;
  const { starts } = state;
  const released = (w: World): void => {
    w.consumers = replaced(w.consumers, index, concluding({ ...state, starts: null }, rules));
  };
  turn.step("releases its start", (w) => {
    if (w.row !== null && starts !== null) w.row = rules.ledger.endStarts(w.row, starts, state.isSuspect ? 1 : 0);
    released(w);
  });
  // `skip locked`: whoever has the row ends its starts.
  if (world.consumers.some((one, other) => other !== index && (one?.phase === "to_lock" || one?.phase === "running")))
    here.outside(`${who}: cannot release its start, the row is locked`, released);
  here.fault("pg", `${who}: Postgres is gone, its start stays`, released);
}

export function tellMoves(turn: Turn): void {
  const { here, state } = turn;
  const { settled, isCommitted } = state;
  turn.crash([isCommitted ? (settled?.status === "failed" ? "consume.counted" : "consume.committed") : "consume.recorded"]);
  if (here.scenario.afters !== undefined) turn.crash(["consume.after_ended"]);
  claimCall(turn, "claim.settled", (w) => tellClaim(w, settled, here));
}

export function adoptMoves(turn: Turn): void {
  const { here, state } = turn;
  turn.crash(["consume.released"]);
  claimCall(turn, "claim.adopted", (w) => adoptEvent(w, state.message, here));
}

/** Acknowledged or given back: until the message is somewhere again, nobody can tell. */
export function endWork({ state, index }: Turn, w: World): void {
  if (state.again !== null)
    giveMessagesBack(
      w,
      state.entries.map((entry) => (entry.message.direct ? { ...entry, wasGivenBack: true } : entry)),
      state.again === "later",
    );
  w.consumers = replaced(w.consumers, index, null);
}

function claimCall(turn: Turn, point: "claim.settled" | "claim.adopted", call: (w: World) => void): void {
  const { here } = turn;
  turn.step(point === "claim.settled" ? `tells the claim: ${turn.state.settled?.status ?? ""}` : "hands the event to the claim", (w) => {
    call(w);
    endWork(turn, w);
  });
  here.fault("deaf", `${turn.who}: the claim is not told`, (w) => endWork(turn, w));
  here.crash([point], (w) => {
    call(w);
    resetObject(w);
    endWork(turn, w);
  });
  here.crash([point === "claim.settled" ? "consume.told" : "consume.adopted"], (w) => {
    call(w);
    die(w, turn.index);
  });
}
