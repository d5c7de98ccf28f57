/** Why somebody is not let in, in words: a problem for the API, a page for the console. */
import type { Context } from "hono";
import { html } from "hono/html";
import { configOf } from "../config.ts";
import { RefusedPage } from "../console/login.tsx";
import type { OperatorEnv } from "../operators/desk.ts";
import { problem } from "./problem.ts";
import { SIGN_IN_LIMIT_SECONDS } from "./sign-in-limit.ts";

export type SignInRefusal = "signed_out" | "wrong_token" | "locked" | "foreign_page";

interface Told {
  readonly status: 401 | 403 | 429;
  readonly title: string;
  readonly detail: string;
}

export const WRONG_TOKEN = "That is not the ADMIN_TOKEN of this deployment.";

function inWords(refusal: SignInRefusal, api: boolean, takesToken: boolean): Told {
  switch (refusal) {
    case "signed_out": {
      const how = api
        ? "send the header `authorization: Bearer <ADMIN_TOKEN>`"
        : "your session is over, and nothing was changed: sign in, then order it again";
      const access =
        "Cloudflare Access did not say who you are: it must be in front of /admin, with the application whose audience tag is ACCESS_AUD";
      return { status: 401, title: api ? "Unauthorized" : "Signed out", detail: takesToken ? how : access };
    }
    case "wrong_token":
      return { status: 401, title: "Unauthorized", detail: "that is not the ADMIN_TOKEN of this deployment" };
    case "locked":
      return {
        status: 429,
        title: "Too many wrong tokens",
        detail: `from your address: wait ${SIGN_IN_LIMIT_SECONDS} seconds, then try the right one`,
      };
    case "foreign_page":
      return {
        status: 403,
        title: "Not from this console",
        detail: "the request came from another site, or does not say from where (Sec-Fetch-Site, Origin); nothing was changed",
      };
  }
}

export async function refuse(c: Context<OperatorEnv>, refusal: SignInRefusal): Promise<Response> {
  const api = /^\/admin\/api(?:\/|$)/.test(c.req.path);
  const takesToken = configOf(c.env).adminToken !== null;
  if (refusal === "signed_out" && !api && takesToken && (c.req.method === "GET" || c.req.method === "HEAD")) {
    const { pathname, search } = new URL(c.req.url);
    return c.redirect(`/admin/login?next=${encodeURIComponent(pathname + search)}`, 303);
  }
  const { status, title, detail } = inWords(refusal, api, takesToken);
  const answer = api ? problem(status, title, detail) : await c.html(html`<!doctype html>${<RefusedPage title={title} detail={detail} />}`, status);
  if (status === 429) answer.headers.set("retry-after", String(SIGN_IN_LIMIT_SECONDS));
  if (api && status === 401) answer.headers.set("www-authenticate", 'Bearer realm="holdfast"');
  return answer;
}
