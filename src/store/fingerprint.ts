/** The name of a kind of failure: 12 hex digits over the event's source and type and what went wrong. Every statement that fails an event writes it. */
import { type SQL, sql } from "drizzle-orm";
import { errorTitle } from "../core/fingerprint.ts";

export interface Failing {
  readonly class: string;
  readonly sqlstate: string | null;
  readonly message: string;
}

/** For rows of `webhook_events`; `source` and `type` are expressions of the row's own. Made in SQL, since only the row knows its type. */
export function fingerprintOf(source: SQL, type: SQL, failing: Failing): SQL {
  const error = [failing.class, failing.sqlstate ?? "", errorTitle(failing.message)].join("\n");
  return sql`left(encode(sha256(convert_to(concat_ws(E'\n', ${source}, ${type}, ${error}::text), 'UTF8')), 'hex'), 12)`;
}
