/** The console's door: a form for the token and a name, and the way out. */
import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { configOf } from "../config.ts";
import { LoginPage, type LoginProps } from "../console/login.tsx";
import type { Operator } from "../core/operators.ts";
import { operatorName, wayBack } from "../core/sign-in.ts";
import { errorText, log } from "../log.ts";
import type { OperatorEnv } from "../operators/desk.ts";
import { openClient } from "../store/client.ts";
import { writeAudit } from "../store/statements/write-audit.ts";
import { refuse, WRONG_TOKEN } from "./refuse.tsx";
import { isOwnRequest } from "./same-origin.ts";
import { endSession, startSession } from "./session.ts";
import { refuseForeign, tokenRefusal, whoComes } from "./sign-in.ts";

export const signInPages = new Hono<OperatorEnv>({ strict: false })
  .get("/login", async (c) => {
    const next = wayBack(c.req.query("next"));
    // Without a token there is no form: who gets here by hand is sent to where Access decides.
    if (configOf(c.env).adminToken === null || (await whoComes(c)).ok) return c.redirect(next, 303);
    // A link on another site (a chat's alert) comes without a SameSite=Strict cookie, also through our redirect. Asked for once more by this page, it comes along.
    if (/^(?:cross|same)-site$/.test(c.req.header("sec-fetch-site") ?? "")) c.header("refresh", `0;url=${next}`);
    return form(c, 200, { error: null, next, needsName: false });
  })
  .post("/login", async (c) => {
    const { adminToken, timings } = configOf(c.env);
    if (adminToken === null) return c.notFound();
    if (!isOwnRequest(c)) return refuseForeign(c);
    const { token, name, next } = await fields(c);
    const back = wayBack(next);
    const refusal = await tokenRefusal(c, token.trim(), adminToken);
    if (refusal === "locked") return refuse(c, refusal);
    if (refusal === "wrong_token") return form(c, 401, { error: WRONG_TOKEN, next: back, needsName: false });
    const operator: Operator = { name: operatorName(name) ?? "", via: "session" };
    if (operator.name === "") return form(c, 400, { error: "Say who you are: every order is recorded with a name.", next: back, needsName: true });
    await startSession(c, operator.name, adminToken, timings.sessionMs);
    c.executionCtx.waitUntil(recordSignIn(c, operator));
    return c.redirect(back, 303);
  })
  .post("/logout", async (c) => {
    if (!isOwnRequest(c)) return refuseForeign(c);
    endSession(c);
    return c.redirect("/admin/login", 303);
  });

function form(c: Context<OperatorEnv>, status: 200 | 400 | 401, props: LoginProps): Response | Promise<Response> {
  return c.html(html`<!doctype html>${<LoginPage {...props} />}`, status);
}

/** Of anything but a form, and of a file where text should be: empty. */
async function fields(c: Context<OperatorEnv>): Promise<Readonly<Record<"token" | "name" | "next", string>>> {
  const given: Readonly<Record<string, unknown>> = await c.req.parseBody().catch(() => ({}));
  const text = (name: string): string => {
    const value = Object.hasOwn(given, name) ? given[name] : "";
    return typeof value === "string" ? value : "";
  };
  return { token: text("token"), name: text("name"), next: text("next") };
}

/** Never rejects, and nobody waits for it: while Postgres is down an operator must come in all the more. */
async function recordSignIn(c: Context<OperatorEnv>, operator: Operator): Promise<void> {
  log("info", "signed_in", { operator: operator.name });
  try {
    await writeAudit(openClient(c.env.HYPERDRIVE, configOf(c.env).timings).db, operator, "signed_in", {}, {});
  } catch (error) {
    log("warn", "signed_in", { operator: operator.name, outcome: "not_recorded", error: errorText(error) });
  }
}
