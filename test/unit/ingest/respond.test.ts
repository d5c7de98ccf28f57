/** The HTTP contract, row by row: DESIGN 3.1. */
import { describe, expect, it } from "vitest";
import { respond, type Outcome } from "../../../src/ingest/respond.ts";
import type { Acknowledgement } from "../../../src/providers/provider.ts";
import { xero } from "../../../src/providers/xero.ts";

const eventId = 'evt_"1"';
const row = async (outcome: Outcome, acknowledgement: Acknowledgement | null = null) => {
  const response = respond(outcome, acknowledgement === null ? null : { acknowledgement, refusal: "json", honoursRetryAfter: true });
  return { status: response.status, holdfast: response.headers.get("holdfast-status"), body: await response.text(), headers: response.headers };
};

it.each<[Exclude<Outcome["status"], "rejected">, number, string]>([
  ["queued", 202, '{"status":"queued","eventId":"evt_\\"1\\""}'],
  ["pending", 202, '{"status":"pending","reason":"Event currently processing","eventId":"evt_\\"1\\""}'],
  ["done", 200, '{"status":"ignored","reason":"Event already processed","eventId":"evt_\\"1\\""}'],
  ["requeued", 202, '{"status":"queued","eventId":"evt_\\"1\\""}'],
])("%s", async (status, code, body) => {
  expect(await row({ status, eventId })).toMatchObject({ status: code, holdfast: status, body });
});

it.each([
  ["invalid_signature", 401, "Invalid HMAC signature"],
  ["missing_event_id", 400, "Missing unique webhook event ID"],
  ["malformed_payload", 400, "Malformed payload"],
  ["body_aborted", 400, "Incomplete body"],
  ["verify_token_mismatch", 403, "Verification token does not match"],
  ["unknown_source", 404, "Unknown source"],
  ["method_not_allowed", 405, "Method not allowed"],
  ["body_timeout", 408, "Request timeout"],
  ["payload_too_large", 413, "Payload too large"],
  ["unsupported_content_encoding", 415, "Unsupported content encoding"],
  ["too_busy", 429, "Too busy"],
  ["source_not_configured", 503, "Source not configured"],
  ["temporarily_unavailable", 503, "Temporarily unavailable"],
  ["key_unavailable", 503, "Temporarily unavailable"],
] as const)("%s", async (refusal, status, error) => {
  const answer = await row({ status: "rejected", refusal });
  expect(answer).toMatchObject({ status, holdfast: "rejected", body: `{"error":"${error}"}` });
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("retry-after")).toBe(status === 503 ? "30" : status === 429 ? "5" : null);
  expect(answer.headers.get("allow")).toBe(status === 405 ? "GET, HEAD, POST" : null);
});

describe("a provider's own acknowledgement", () => {
  const adyen: Acknowledgement = { status: 200, body: "[accepted]", contentType: "text/plain" };
  const discord: Acknowledgement = { status: 204, body: null, contentType: "application/json" };

  it.each(["queued", "pending", "done", "requeued"] as const)("answers %s, and the header still says which it was", async (status) => {
    const answer = await row({ status, eventId }, adyen);
    expect(answer).toMatchObject({ status: 200, holdfast: status, body: "[accepted]" });
    expect(answer.headers.get("content-type")).toBe("text/plain");
    const empty = await row({ status, eventId }, discord);
    expect(empty).toMatchObject({ status: 204, holdfast: status, body: "" });
    expect(empty.headers.get("content-type")).toBe("application/json");
  });

  it("never covers a refusal", async () => {
    expect(await row({ status: "rejected", refusal: "invalid_signature" }, adyen)).toMatchObject({
      status: 401,
      body: '{"error":"Invalid HMAC signature"}',
    });
  });
});

it("says when to come back only to providers that listen", () => {
  const busy = { status: "rejected", refusal: "too_busy" } as const;
  expect(respond(busy, { acknowledgement: null, refusal: "json", honoursRetryAfter: true }).headers.get("retry-after")).toBe("5");
  expect(respond(busy, { acknowledgement: null, refusal: "json", honoursRetryAfter: false }).headers.get("retry-after")).toBeNull();
  expect(respond(busy, null).headers.get("retry-after")).toBe("5");
});

it("says no with an empty body to a provider that wants none in any answer (Xero's intent to receive)", async () => {
  for (const refusal of ["invalid_signature", "too_busy", "temporarily_unavailable"] as const) {
    const plain = respond({ status: "rejected", refusal }, null);
    const response = respond({ status: "rejected", refusal }, xero());
    expect([response.status, await response.text(), response.headers.get("content-type")]).toEqual([plain.status, "", null]);
    expect([response.headers.get("holdfast-status"), response.headers.get("cache-control")]).toEqual(["rejected", "no-store"]);
    expect(response.headers.get("set-cookie")).toBeNull();
  }
  const taken = respond({ status: "queued", eventId }, xero());
  expect([taken.status, await taken.text()]).toEqual([200, ""]);
});
