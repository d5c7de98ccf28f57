/** Dead letters by kind, the largest group first. */
import { errorTitle } from "../core/fingerprint.ts";
import { FAILURE_GROUPS_LIMIT } from "../core/limits.ts";
import type { EventFilter, FailureGroup } from "../core/operators.ts";
import { reading } from "../store/reading.ts";
import { listFailures } from "../store/statements/list-failures.ts";
import type { Desk } from "./desk.ts";

export async function seeFailures({ db, config }: Desk, filter: Pick<EventFilter, "source" | "type"> = {}): Promise<readonly FailureGroup[]> {
  const rows = await reading(db, config.timings, (tx) => listFailures(tx, filter, FAILURE_GROUPS_LIMIT));
  return rows.map(({ error, ...group }) => ({ ...group, title: errorTitle(error ?? "") }));
}
