/** How the console answers: whole pages, and what went wrong as one of them. */
import type { Context } from "hono";
import { html } from "hono/html";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { OVERVIEW } from "../console/links.ts";
import { NotFound, Trouble } from "../console/pages/trouble.tsx";
import { errorText, log } from "../log.ts";
import type { OperatorEnv } from "../operators/desk.ts";
import { isTooSlow } from "../store/reading.ts";

export type Page = Context<OperatorEnv>;

export function show(c: Page, page: Child, status: ContentfulStatusCode = 200): Response | Promise<Response> {
  return c.html(html`<!doctype html>${page}`, status);
}

export function notHere(c: Page, what: string): Response | Promise<Response> {
  return show(c, <NotFound operator={c.get("operator")} what={`${what.charAt(0).toUpperCase()}${what.slice(1)}.`} />, 404);
}

/** Nothing is changed by asking again: what came by a form was carried out whole, or not at all. */
export function trouble(error: Error, c: Page): Response | Promise<Response> {
  log("error", "admin_failed", { error: errorText(error) });
  const { pathname, search } = new URL(c.req.url);
  const isQuestion = c.req.method === "GET" || c.req.method === "HEAD";
  const [title, detail] = isTooSlow(error)
    ? ["Too slow", "The question is too wide to be answered in time. Narrow the time range, or name a source."]
    : ["Temporarily unavailable", "The ledger did not answer. What providers deliver meanwhile is kept, and handled once it is back."];
  return show(c, <Trouble operator={c.get("operator")} title={title} detail={detail} retry={isQuestion ? pathname + search : OVERVIEW} />, 503);
}
