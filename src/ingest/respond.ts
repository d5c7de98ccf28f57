/** Every outcome of a delivery to its one response: the table of DESIGN 3.1. Dull on purpose, the reasons go to the log. */
import type { Refusal } from "../core/reasons.ts";
import type { Acknowledgement, Provider } from "../providers/provider.ts";

/** What the operator reads in the provider's delivery log, in the header `holdfast-status`. */
export type Status = "queued" | "pending" | "done" | "requeued" | "rejected";

export type Outcome =
  | { readonly status: Exclude<Status, "rejected">; readonly eventId: string }
  | { readonly status: "rejected"; readonly refusal: Refusal };

/** `manners`: how the provider wants to be answered; null where there is none. */
export function respond(outcome: Outcome, manners: Pick<Provider, "acknowledgement" | "refusal" | "honoursRetryAfter"> | null): Response {
  if (outcome.status === "rejected") {
    const response = refuse(outcome.refusal);
    if (manners !== null && !manners.honoursRetryAfter) response.headers.delete("retry-after");
    return manners?.refusal === "empty" ? bare(response) : response;
  }
  if (manners !== null && manners.acknowledgement !== null) return acknowledge(manners.acknowledgement, { "holdfast-status": outcome.status });
  const { status, body } = accepted(outcome.status, outcome.eventId);
  return answer(outcome.status, status, body);
}

/** A provider's fixed answer, for events and for handshakes. */
export function acknowledge({ status, body, contentType }: Acknowledgement, headers: Readonly<Record<string, string>>): Response {
  return new Response(status === 204 ? null : body, { status, headers: { "content-type": contentType, ...UNCACHED, ...headers } });
}

function bare({ status, headers }: Response): Response {
  const kept = new Headers(headers);
  kept.delete("content-type");
  return new Response(null, { status, headers: kept });
}

const UNCACHED = { "cache-control": "no-store", "x-content-type-options": "nosniff" } as const;

function accepted(status: Exclude<Status, "rejected">, eventId: string): { readonly status: number; readonly body: object } {
  switch (status) {
    case "queued":
    case "requeued":
      return { status: 202, body: { status: "queued", eventId } };
    case "pending":
      return { status: 202, body: { status: "pending", reason: "Event currently processing", eventId } };
    case "done":
      return { status: 200, body: { status: "ignored", reason: "Event already processed", eventId } };
  }
}

function refuse(refusal: Refusal): Response {
  switch (refusal) {
    case "invalid_signature":
      return rejected(401, "Invalid HMAC signature");
    case "missing_event_id":
      return rejected(400, "Missing unique webhook event ID");
    case "malformed_payload":
      return rejected(400, "Malformed payload");
    case "body_aborted":
      return rejected(400, "Incomplete body");
    case "verify_token_mismatch":
      return rejected(403, "Verification token does not match");
    case "unknown_source":
      return rejected(404, "Unknown source");
    case "method_not_allowed":
      return rejected(405, "Method not allowed", { allow: "GET, HEAD, POST" });
    case "body_timeout":
      return rejected(408, "Request timeout");
    case "payload_too_large":
      return rejected(413, "Payload too large");
    case "unsupported_content_encoding":
      return rejected(415, "Unsupported content encoding");
    case "too_busy":
      return rejected(429, "Too busy", { "retry-after": "5" });
    case "source_not_configured":
      return rejected(503, "Source not configured", { "retry-after": "30" });
    case "key_unavailable":
    case "temporarily_unavailable":
      return rejected(503, "Temporarily unavailable", { "retry-after": "30" });
  }
}

function rejected(status: number, error: string, headers: Readonly<Record<string, string>> = {}): Response {
  return answer("rejected", status, { error }, headers);
}

function answer(holdfastStatus: Status, status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...UNCACHED, "holdfast-status": holdfastStatus, ...headers },
  });
}
