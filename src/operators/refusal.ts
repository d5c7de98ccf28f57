/** Why an order was not carried out: data, told in words by the API (as a problem) and the console. */
import type { EventKey } from "../core/event.ts";
import type { AfterStatus, EventStatus } from "../core/settlement.ts";

export type OrderRefusal =
  | { readonly reason: "unknown_event"; readonly key: EventKey }
  | { readonly reason: "already_pending" }
  /** Its bytes were dropped or erased: only the provider can send it again. */
  | { readonly reason: "no_bytes" }
  | { readonly reason: "nothing_to_replay"; readonly status: EventStatus; readonly after: AfterStatus }
  /** It completed: its effect would happen twice. `force` says that this is meant. */
  | { readonly reason: "completed_needs_force" }
  | { readonly reason: "not_failed"; readonly status: EventStatus }
  | { readonly reason: "not_settled" }
  | { readonly reason: "reason_missing" }
  | { readonly reason: "unknown_replay"; readonly id: string }
  | { readonly reason: "no_alert_receiver" }
  | { readonly reason: "alert_not_taken"; readonly problem: string }
  | { readonly reason: "replay_ended"; readonly status: "completed" | "cancelled" };

/** Fit for a problem (RFC 9457) and for a page. */
export interface Told {
  readonly status: 400 | 404 | 409 | 410 | 502;
  readonly title: string;
  readonly detail: string;
}

export function refusalInWords(refusal: OrderRefusal): Told {
  switch (refusal.reason) {
    case "unknown_event":
      return {
        status: 404,
        title: "Unknown event",
        detail: `the ledger has no event ${JSON.stringify(refusal.key.id)} of source ${JSON.stringify(refusal.key.source)}`,
      };
    case "already_pending":
      return { status: 409, title: "Already pending", detail: "the event is open for work; it was replayed already, or never failed" };
    case "no_bytes":
      return { status: 410, title: "No bytes", detail: "the event's bytes are no longer kept; send it again from the provider" };
    case "nothing_to_replay":
      return {
        status: 409,
        title: "Nothing to replay",
        detail: `the event is ${refusal.status}${refusal.after === "none" ? "" : `, its after is ${refusal.after}`}`,
      };
    case "completed_needs_force":
      return { status: 409, title: "Completed", detail: "the event completed: its effect would happen twice. Give `force` if that is meant" };
    case "not_failed":
      return { status: 409, title: "Not a dead letter", detail: `the event is ${refusal.status}; only failed events are discarded` };
    case "not_settled":
      return { status: 409, title: "Still pending", detail: "the event is open for work; its bytes are needed until it is settled" };
    case "reason_missing":
      return { status: 400, title: "Reason missing", detail: "say why: a reason of 1 to 500 characters stands in the audit" };
    case "unknown_replay":
      return { status: 404, title: "Unknown replay", detail: `there is no replay ${JSON.stringify(refusal.id)}` };
    case "no_alert_receiver":
      return { status: 409, title: "No receiver", detail: "set the secret ALERT_WEBHOOK_URL: alerts are in the log alone" };
    case "alert_not_taken":
      return { status: 502, title: "Not taken", detail: `${refusal.problem}: look at ALERT_WEBHOOK_URL` };
    case "replay_ended":
      return { status: 409, title: "Already over", detail: `the replay is ${refusal.status}` };
  }
}
