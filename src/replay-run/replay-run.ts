/**
 * A group replay's Durable Object, named by the run's id: an alarm and nothing else. The run's row in the ledger is the truth; each alarm is one
 * step of it. A step that fails is tried again, ever later, and never given up.
 */
import { DurableObject } from "cloudflare:workers";
import { configOf } from "../config.ts";
import { messageForRow } from "../core/message.ts";
import { errorText, log } from "../log.ts";
import { sendMessages } from "../send-messages.ts";
import { openClient } from "../store/client.ts";
import { endIfDone, holdRun, openSome, type OpenedRow } from "../store/statements/replay-group.ts";
import { noteReplayError } from "../store/statements/replay-error.ts";
import { inTransaction } from "../store/transaction.ts";

/** In the storage: steps in a row that did not end. */
const FAILURES = "failures";

interface Step {
  readonly opened: readonly OpenedRow[];
  readonly isOver: boolean;
}

export class ReplayRun extends DurableObject<Env> {
  /** Whoever started the run, and the cron, in case the alarm was lost. */
  async wake(): Promise<void> {
    const { timings } = configOf(this.env);
    const armedForMs = await this.ctx.storage.getAlarm();
    const nowMs = Date.now();
    if (armedForMs === null || armedForMs < nowMs - timings.alarmOverdueMs) await this.ctx.storage.setAlarm(nowMs + timings.replayPeriodMs);
  }

  override async alarm(): Promise<void> {
    const id = this.ctx.id.name ?? "";
    const { timings } = configOf(this.env);
    const failures = this.ctx.storage.kv.get<number>(FAILURES) ?? 0;
    try {
      // Before the work: whatever kills this step, there is a next.
      await this.ctx.storage.setAlarm(Date.now() + Math.min(timings.replayRetryMs * 2 ** failures, timings.replayRetryCapMs));
      this.ctx.storage.kv.put(FAILURES, failures + 1);
      const { opened, isOver } = await this.#step(id);
      const { unsent, error } = await sendMessages(this.env.EVENTS, opened.map(messageForRow), timings);
      if (error !== null) log("warn", "replay_group", { replay: id, outcome: "send_refused", messages: unsent.length, error });
      if (!isOver) {
        this.ctx.storage.kv.put(FAILURES, 0);
        await this.ctx.storage.setAlarm(Date.now() + timings.replayPeriodMs);
        return;
      }
      log("info", "replay_group", { replay: id, outcome: "over" });
      await this.ctx.storage.deleteAll();
    } catch (error) {
      // Never thrown: the platform drops an alarm that throws again and again.
      log("error", "replay_group", { replay: id, outcome: "step_failed", error: errorText(error) });
      await this.#note(id, errorText(error));
    }
  }

  async #step(id: string): Promise<Step> {
    const { timings } = configOf(this.env);
    return inTransaction(openClient(this.env.HYPERDRIVE, timings), timings, async ({ db }) => {
      const run = await holdRun(db, id);
      if (run === null) return { opened: [], isOver: true };
      const rows = Math.min(Math.ceil((run.ratePerSecond * timings.replayPeriodMs) / 1_000), run.left);
      const opened = await openSome(db, id, run, rows, Date.now());
      return { opened, isOver: await endIfDone(db, id, run) };
    });
  }

  async #note(id: string, error: string): Promise<void> {
    const { timings } = configOf(this.env);
    try {
      await noteReplayError(openClient(this.env.HYPERDRIVE, timings).db, id, error);
    } catch {
      // Postgres is what failed: the log has it.
    }
  }
}
