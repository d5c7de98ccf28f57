/** What is said of an event that the ledger does not have: one whose claim holds it was received, and its row comes once Postgres takes it. */
import type { EventKey } from "../core/event.ts";
import type { ClaimView } from "../core/operators.ts";

export function unknownEventText({ source, id }: EventKey, claim: ClaimView | null): string {
  const known = `the ledger has no event ${JSON.stringify(id)} of source ${JSON.stringify(source)}`;
  if (claim === null || claim.status === "unclaimed") return known;
  const since = claim.sinceMs === null ? "" : ` since ${new Date(claim.sinceMs).toISOString()}`;
  return `${known}, but its claim is ${claim.status}${since}: it was received${claim.hasBytes ? ", and its bytes are kept there" : ""}`;
}
