/** RFC 9457. */
import type { Problem } from "../core/operators.ts";

export function problem(status: 400 | 401 | 403 | 404 | 409 | 410 | 413 | 422 | 429 | 503, title: string, detail: string): Response {
  const body: Problem = { type: "about:blank", title, status, detail };
  return Response.json(body, { status, headers: { "content-type": "application/problem+json", "cache-control": "no-store" } });
}
