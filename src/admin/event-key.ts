/** The event that a path names: what cannot be one is refused before the ledger, or a claim, is asked. */
import { createMiddleware } from "hono/factory";
import { EVENT_ID_LIMIT_BYTES, SOURCE_NAME_LIMIT_BYTES } from "../core/limits.ts";
import type { OperatorEnv } from "../operators/desk.ts";
import { isStorable } from "../operators/event-query.ts";
import { problem } from "./problem.ts";

export const onlyKeys = createMiddleware<OperatorEnv, "/events/:source/:id?">(async (c, next) => {
  const { source, id } = c.req.param();
  const isKey = isStorable(source, SOURCE_NAME_LIMIT_BYTES) && (id === undefined || isStorable(id, EVENT_ID_LIMIT_BYTES));
  if (!isKey) {
    const limits = `a source is 1 to ${SOURCE_NAME_LIMIT_BYTES} bytes, an event id 1 to ${EVENT_ID_LIMIT_BYTES}`;
    return problem(400, "Bad path", `${limits}, percent-encoded, both well-formed text without NUL`);
  }
  await next();
  return undefined;
});
