/** The end of a batch (src/queue/conclude.ts): starts released, claim told, or the event handed to it, message acknowledged or given back. */
import { concluding, die, giveMessagesBack } from "./consumer-state.ts";
import type { Turn } from "./consumer.ts";
import { resetObject } from "./object.ts";
import { adoptEvent, tellClaim } from "./queues.ts";
import { replaced, type World } from "./world.ts";

export function endMoves(turn: Turn): void {
  const { here, state, index } = turn;
  const { rules } = here;
  const released = (w: World): void => {
    w.consumers = replaced(w.consumers, index, concluding({ ...state, starts: null }, rules));
  };
  const told = (w: World): void => end(turn, w);
  switch (state.phase) {
    case "to_release": {
      const { starts } = state;
      if (here.world.lockedBy === null)
        turn.step("releases its start", (w) => {
          if (w.row !== null && starts !== null) w.row = rules.ledger.endStarts(w.row, starts, state.isSuspect ? 1 : 0);
          released(w);
        });
      // `skip locked`: whoever has the row ends its starts.
      else turn.step("cannot release its start", released);
      if (here.world.consumers.some((one, other) => other !== index && one?.phase === "to_lock"))
        here.outside(`${turn.who}: cannot release its start, the row is locked`, released);
      return here.fault("pg", `${turn.who}: Postgres is gone, its start stays`, released);
    }
    case "to_tell":
      turn.crash([state.isCommitted ? (state.settled?.status === "failed" ? "consume.counted" : "consume.committed") : "consume.recorded"]);
      if (here.scenario.afters !== undefined) turn.crash(["consume.after_ended"]);
      return claimCall(turn, "claim.settled", told, (w) => tellClaim(w, state.settled, here));
    case "to_adopt":
      turn.crash(["consume.released"]);
      return claimCall(turn, "claim.adopted", told, (w) => {
        for (const entry of state.entries) adoptEvent(w, { ...entry, message: state.message }, here);
      });
    case "told":
      return turn.step("ends", told);
    default:
      throw new Error(`no end in ${state.phase}`);
  }
}

/** Acknowledged or given back: until the message is somewhere again, nobody can tell. */
function end({ state, index }: Turn, w: World): void {
  if (state.again !== null) giveMessagesBack(w, state.entries, state.again === "later");
  w.consumers = replaced(w.consumers, index, null);
}

function claimCall(turn: Turn, point: "claim.settled" | "claim.adopted", told: (w: World) => void, call: (w: World) => void): void {
  const { here } = turn;
  turn.step(point === "claim.settled" ? `tells the claim: ${turn.state.settled?.status ?? ""}` : "hands the event to the claim", (w) => {
    call(w);
    told(w);
  });
  here.fault("deaf", `${turn.who}: the claim is not told`, told);
  here.crash([point], (w) => {
    call(w);
    resetObject(w);
    told(w);
  });
  here.crash([point === "claim.settled" ? "consume.told" : "consume.adopted"], (w) => {
    call(w);
    die(w, turn.index);
  });
}
