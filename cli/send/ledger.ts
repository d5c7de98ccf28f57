/** Reads from the ledger what became of the events that were sent, and how many effects they had. */
import postgres from "postgres";
import { until } from "../processes.ts";
import { isSettled, type Settlement } from "./plan.ts";

export class Ledger implements AsyncDisposable {
  readonly #sql: postgres.Sql;

  constructor(url: string) {
    this.#sql = postgres(url, { max: 1, onnotice() {} });
  }

  /** Waits until none is pending, at most so long. An event that the ledger has not heard of yet is pending too. */
  async settlement(source: string, ids: readonly string[], waitMs: number, progress: (settlement: Settlement) => void): Promise<Settlement> {
    let last: Settlement = { completed: 0, skipped: 0, failed: 0, pending: ids.length };
    await until(
      async () => {
        last = await this.#count(source, ids);
        progress(last);
        return isSettled(last);
      },
      waitMs,
      200,
    );
    return last;
  }

  async #count(source: string, ids: readonly string[]): Promise<Settlement> {
    const rows = await this.#sql<{ status: keyof Settlement; n: number }[]>`
      select status, count(*)::int as n
      from webhook_events
      where source = ${source} and event_id = any(${ids as string[]})
      group by status`;
    const counted: Settlement = { completed: 0, skipped: 0, failed: 0, pending: 0 };
    for (const { status, n } of rows) counted[status] = n;
    counted.pending += ids.length - rows.reduce((sum, row) => sum + row.n, 0);
    return counted;
  }

  /** Why events are not `completed`, in words: `2 skipped: no_handler`. */
  async reasons(source: string, ids: readonly string[], limit: number): Promise<string[]> {
    const rows = await this.#sql<{ status: string; n: number; why: string }[]>`
      select status, count(*)::int as n, concat_ws(', ', reason, split_part(last_error, E'\n', 1)) as why
      from webhook_events
      where source = ${source} and event_id = any(${ids as string[]}) and status <> 'completed' and (reason is not null or last_error is not null)
      group by status, why
      order by n desc
      limit ${limit}`;
    return rows.map(({ status, n, why }) => `${n} ${status}: ${why}`);
  }

  /** Rows of the example's handler for these facts; null once the example has been removed. */
  async effects(references: readonly string[]): Promise<number | null> {
    const [table] = await this.#sql<{ present: boolean }[]>`select to_regclass('balance_entries') is not null as present`;
    if (table?.present !== true) return null;
    const [row] = await this.#sql<{ n: number }[]>`select count(*)::int as n from balance_entries where reference = any(${references as string[]})`;
    return row?.n ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sql.end({ timeout: 2 });
  }
}
