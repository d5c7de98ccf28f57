/** A request's JSON body, held against a schema: each bad one is a problem that says where and what. Without a body it is `{}`. */
import { createMiddleware } from "hono/factory";
import type { z } from "zod";
import type { OperatorEnv } from "../operators/desk.ts";
import { problem } from "./problem.ts";

/** Orders are a few fields. */
const BODY_LIMIT_CHARACTERS = 64 * 1024;

/** Typed as hono/validator types it, for `hc`. That one takes a body without its content type for none, and says less of one that is no JSON. */
export const jsonBody = <S extends z.ZodType>(schema: S) =>
  createMiddleware<OperatorEnv, string, { in: { json: z.input<S> }; out: { json: z.output<S> } }>(async (c, next) => {
    const text = await c.req.text();
    if (text.length > BODY_LIMIT_CHARACTERS) return problem(413, "Body too large", `an order has at most ${BODY_LIMIT_CHARACTERS} characters`);
    const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(c.req.header("content-type") ?? "");
    if (text !== "" && !isJson) return problem(400, "Not JSON", "send the body with the header `content-type: application/json`");
    const body = text === "" ? { value: {} } : parsed(text);
    if (body === null) return problem(400, "Not JSON", "the body does not parse as JSON");
    const read = schema.safeParse(body.value);
    if (!read.success) return problem(400, "Bad order", inWords(read.error));
    c.req.addValidatedData("json", read.data as object);
    await next();
    return undefined;
  });

function parsed(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

function inWords({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`)).join("; ");
}
