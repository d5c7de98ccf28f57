/** Orders as operators give them: over HTTP with the token, and as the statements see them. */
import type { Operator } from "../../src/core/operators.ts";
import type { Ledger } from "./ledger.ts";
import { type Answer, fetchWorker } from "./requests.ts";

export const OPERATOR: Operator = { name: "admin token", via: "token" };
export const ORDER = { operator: OPERATOR, force: false, reason: null } as const;

/** A call of the admin API on these bindings. */
export function call(method: "GET" | "POST", path: string, body: unknown, bindings: Env): Promise<Answer> {
  const headers = { authorization: "Bearer test-admin-token", "content-type": "application/json" };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  return fetchWorker(new Request(`http://localhost/admin/api${path}`, init), bindings);
}

export const eventPath = (id: string, order: string, source = "generic"): string =>
  `/events/${encodeURIComponent(source)}/${encodeURIComponent(id)}/${order}`;

export interface Audited {
  readonly actor: string;
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** What the audit says of an event, oldest first. */
export async function auditOf(books: Ledger, id: string): Promise<readonly Audited[]> {
  const rows = await books.run(`select actor, action, details from webhook_audit where event_id = '${id.replaceAll("'", "''")}' order by id`);
  return rows as unknown as readonly Audited[];
}
