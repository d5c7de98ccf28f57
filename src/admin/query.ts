/** A request's query, read once: what is wrong with it is a problem that names the parameter, what it was and what it must be. */
import { createMiddleware } from "hono/factory";
import { z } from "zod";
import type { Result } from "../core/result.ts";
import type { OperatorEnv } from "../operators/desk.ts";
import { readQuery } from "../operators/event-query.ts";
import { problem, type ProblemAnswer } from "./problem.ts";

/** Typed as hono/validator types it, for `hc`: that one would have clients send what handlers get. A parameter that came several times is read as a list. */
export const query = <In extends object, Out extends object>(read: (given: Readonly<Record<string, unknown>>) => Result<Out, string>) =>
  createMiddleware<OperatorEnv, string, { in: { query: In }; out: { query: Out } }, ProblemAnswer<400>>(async (c, next) => {
    const result = read(given(c.req.queries()));
    if (!result.ok) return badParameter(result.failure);
    c.req.addValidatedData("query", result.value);
    await next();
    return undefined;
  });

/** For a route that takes none. */
export const noQuery = createMiddleware<OperatorEnv>(async (c, next) => {
  const result = readQuery(z.strictObject({}), given(c.req.queries()));
  if (!result.ok) return badParameter(result.failure);
  await next();
  return undefined;
});

function given(queries: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(queries).map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

const badParameter = (sentences: string) => problem(400, "Bad parameter", sentences);
