/** The console's session: a signed cookie, nothing stored. Its key comes from ADMIN_TOKEN, so a new token ends every session. */
import type { Context } from "hono";
import { deleteCookie, getSignedCookie, setSignedCookie } from "hono/cookie";
import { sessionFrom, sessionText } from "../core/sign-in.ts";
import type { OperatorEnv } from "../operators/desk.ts";
import { utf8 } from "../schemes/bytes.ts";

const NAME = "holdfast_session";

/** `sub`domains cannot set a `__Secure-` cookie over plain http; on http itself (a laptop) there can be none. Never sent to the webhook routes. */
const attributes = (c: Context) => {
  const isSecure = new URL(c.req.url).protocol === "https:";
  return { path: "/admin", httpOnly: true, sameSite: "Strict", secure: isSecure, ...(isSecure ? { prefix: "secure" as const } : {}) } as const;
};

export async function startSession(c: Context<OperatorEnv>, name: string, adminToken: string, sessionMs: number): Promise<void> {
  const text = sessionText({ name, expiresAtMs: Date.now() + sessionMs });
  await setSignedCookie(c, NAME, text, await sessionKey(adminToken), { ...attributes(c), maxAge: Math.floor(sessionMs / 1_000) });
}

/** Who signed in; null: nobody, or it is over. */
export async function sessionName(c: Context<OperatorEnv>, adminToken: string, sessionMs: number): Promise<string | null> {
  const text = await getSignedCookie(c, await sessionKey(adminToken), NAME, attributes(c).prefix);
  return typeof text === "string" ? (sessionFrom(text, Date.now(), sessionMs)?.name ?? null) : null;
}

export function endSession(c: Context<OperatorEnv>): void {
  deleteCookie(c, NAME, attributes(c));
}

/** Not the token itself: what signs cookies must not be what opens the API, should it ever come out. */
async function sessionKey(adminToken: string): Promise<ArrayBuffer> {
  const token = await crypto.subtle.importKey("raw", utf8(adminToken), "HKDF", false, ["deriveBits"]);
  return crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: utf8("holdfast console session") }, token, 256);
}
