/** Who may come in: whoever shows ADMIN_TOKEN, whoever signed in with it, and whom Cloudflare Access let through. Off while none of these can be. */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { configOf } from "../config.ts";
import type { Operator } from "../core/operators.ts";
import { failed, ok, type Result } from "../core/result.ts";
import { operatorName } from "../core/sign-in.ts";
import { log } from "../log.ts";
import type { OperatorEnv } from "../operators/desk.ts";
import { isSameText } from "../schemes/compare.ts";
import { accessName } from "./access.ts";
import { refuse, type SignInRefusal } from "./refuse.tsx";
import { isOwnRequest } from "./same-origin.ts";
import { sessionName } from "./session.ts";
import { countWrongToken, isLocked } from "./sign-in-limit.ts";

/** Nothing tells that there is a console here, before there is. */
export const offUntilConfigured = createMiddleware<OperatorEnv>(async (c, next) => {
  const { adminToken, accessAud } = configOf(c.env);
  if (adminToken === null && accessAud === null) return c.notFound();
  await next();
  return undefined;
});

export const onlyOperators = createMiddleware<OperatorEnv>(async (c, next) => {
  const comes = await whoComes(c);
  if (!comes.ok) return refuse(c, comes.failure);
  // A script that has the token is not a browser that somebody else's page can use.
  if (comes.value.via !== "token" && !isOwnRequest(c)) return refuseForeign(c);
  c.set("operator", comes.value);
  await next();
  return undefined;
});

export function refuseForeign(c: Context<OperatorEnv>): Promise<Response> {
  log("warn", "sign_in_refused", { reason: "foreign_page" });
  return refuse(c, "foreign_page");
}

export async function whoComes(c: Context<OperatorEnv>): Promise<Result<Operator, SignInRefusal>> {
  const { adminToken, accessAud, timings } = configOf(c.env);
  const bearer = /^Bearer +(\S+) *$/i.exec(c.req.header("authorization") ?? "")?.[1];
  // Judged alone: a wrong token is not made good by a cookie.
  if (adminToken !== null && bearer !== undefined) {
    const refusal = await tokenRefusal(c, bearer, adminToken);
    if (refusal !== null) return failed(refusal);
    return ok({ name: operatorName(c.req.header("holdfast-operator") ?? "") ?? "admin token", via: "token" });
  }
  const fromAccess = accessAud === null ? null : await accessName(c, accessAud);
  if (fromAccess !== null) return ok({ name: fromAccess, via: "access" });
  const fromSession = adminToken === null ? null : await sessionName(c, adminToken, timings.sessionMs);
  return fromSession === null ? failed("signed_out") : ok({ name: fromSession, via: "session" });
}

/** null: it is the token. */
export async function tokenRefusal(c: Context<OperatorEnv>, given: string, adminToken: string): Promise<"wrong_token" | "locked" | null> {
  if (isLocked(c)) return "locked";
  if (await isSameText(given, adminToken)) return null;
  const refusal = (await countWrongToken(c)) ? "locked" : "wrong_token";
  log("warn", "sign_in_refused", { reason: refusal });
  return refusal;
}
