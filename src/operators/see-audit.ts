/** Pages of what operators did, newest first. */
import type { AuditEntry } from "../core/operators.ts";
import { reading } from "../store/reading.ts";
import { listAudit } from "../store/statements/list-audit.ts";
import type { Desk } from "./desk.ts";

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** The next page's cursor; null: this is the last. */
  readonly next: number | null;
}

/** `cursor`: the `next` of the page before. */
export async function seeAudit({ db, config }: Desk, cursor: number | null, limit: number): Promise<AuditPage> {
  const found = await reading(db, config.timings, (tx) => listAudit(tx, cursor, limit + 1));
  const entries = found.slice(0, limit);
  return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
}
