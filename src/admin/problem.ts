/** RFC 9457. */
import type { TypedResponse } from "hono";
import type { Problem } from "../core/operators.ts";

export type ProblemStatus = 400 | 401 | 403 | 404 | 409 | 410 | 413 | 422 | 429 | 503;

/** Typed, so that `hc` knows what an answer that is not `ok` says. */
export type ProblemAnswer<Status extends ProblemStatus> = Response & TypedResponse<Problem, Status, "json">;

export function problem<const Status extends ProblemStatus>(status: Status, title: string, detail: string): ProblemAnswer<Status> {
  const body: Problem = { type: "about:blank", title, status, detail };
  return Response.json(body, {
    status,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store" },
  }) as ProblemAnswer<Status>;
}
