/** The cron: sends again what may have lost its message, drops bytes that have served their time, says how things stand. Through the queue, never through the claim. */
import { backlogOf } from "./backlog.ts";
import type { Config } from "./config.ts";
import { RETENTION_CHUNK_ROWS, RETENTION_CHUNKS, SWEEP_BACKLOG_LIMIT, SWEEP_ROWS } from "./core/limits.ts";
import { messageForRow } from "./core/message.ts";
import { faultPoint } from "./fault-points.ts";
import { fillHours } from "./hours.ts";
import { errorText, log } from "./log.ts";
import { sendMessages } from "./send-messages.ts";
import { openClient } from "./store/client.ts";
import type { Tx } from "./store/guard.ts";
import { dropHandshakes } from "./store/statements/handshakes.ts";
import { ledgerHealth } from "./store/statements/health.ts";
import { deleteRows, dropBytes } from "./store/statements/retention.ts";
import { sweep as sweepRows } from "./store/statements/sweep.ts";

export async function sweep(env: Env, config: Config): Promise<void> {
  const startMs = Date.now();
  const { db } = openClient(env.HYPERDRIVE, config.timings);
  try {
    const backlog = await backlogOf(env);
    // An unknown backlog is no reason to hold back: the sweep is what repairs a lost message.
    const resent = backlog !== null && backlog > SWEEP_BACKLOG_LIMIT ? 0 : await resend(db, env, config);
    const dropped = await chunked((rows) => dropBytes(db, config.timings.ledgerBytesKeptMs, rows));
    const { ledgerKeepDays } = config;
    const deleted = ledgerKeepDays === null ? 0 : await chunked((rows) => deleteRows(db, ledgerKeepDays, rows));
    await dropHandshakes(db, config.timings.handshakeKeptMs);
    const health = await ledgerHealth(db);
    const hoursFilled = await hours(db);
    const counts = {
      pending: health.pending,
      oldestPendingMs: health.oldestPendingMs === null ? 0 : Date.now() - health.oldestPendingMs,
      owedAfters: health.owedAfters,
      failedAfters: health.failedAfters,
      deadLetters: health.deadLetters,
      resent,
      bytesDropped: dropped,
      rowsDeleted: deleted,
      hoursFilled,
      ...(backlog === null ? {} : { backlog }),
    };
    log("info", "health", { counts, ms: { total: Date.now() - startMs } });
  } catch (error) {
    log("error", "sweep_failed", { error: errorText(error) });
  }
}

/** Stamped first, sent after: a sweep that dies in between delays those rows until their next turn, it loses none. */
async function resend(db: Tx, env: Pick<Env, "EVENTS">, { timings }: Config): Promise<number> {
  const rows = await sweepRows(db, timings.sweepAgeMs, timings.sweepAgeCapMs, SWEEP_ROWS);
  if (FAULTS && rows.length > 0) await faultPoint("sweep.stamped");
  const { sent, unsent, error } = await sendMessages(env.EVENTS, rows.map(messageForRow), timings);
  if (FAULTS && rows.length > 0) await faultPoint("sweep.sent");
  for (const { facts, opening } of sent) log("info", "resent", { source: facts.source, eventId: facts.id, trigger: "sweep", opening });
  if (error !== null) {
    log("warn", "sweep_refused", {
      messages: unsent.length,
      error,
      hint: "the queue refused; these rows have their next turn when they are older",
    });
  }
  return sent.length;
}

/** Nobody waits for figures: that they fail is said, and takes nothing else along. */
async function hours(db: Tx): Promise<number> {
  try {
    return await fillHours(db, Date.now());
  } catch (error) {
    log("error", "hours_failed", { error: errorText(error) });
    return 0;
  }
}

async function chunked(run: (rows: number) => Promise<number>): Promise<number> {
  let total = 0;
  for (let chunk = 0; chunk < RETENTION_CHUNKS; chunk++) {
    const rows = await run(RETENTION_CHUNK_ROWS);
    total += rows;
    if (rows < RETENTION_CHUNK_ROWS) break;
  }
  return total;
}
