/** Cloudflare Access in front of /admin: who it let in, as the platform itself says (`ctx.access`), never as a header says. */
import type { Context } from "hono";
import { operatorName } from "../core/sign-in.ts";
import { errorText, log } from "../log.ts";
import type { OperatorEnv } from "../operators/desk.ts";

/** The identity's address, or a service token's name. null: not let in by the application that ACCESS_AUD names, or nobody can say who it is: then nobody. */
export async function accessName(c: Context<OperatorEnv>, accessAud: string): Promise<string | null> {
  const { access } = c.executionCtx as Partial<Pick<ExecutionContext, "access">>;
  if (access === undefined || access.aud !== accessAud) return null;
  try {
    const identity = await access.getIdentity();
    const name = [identity?.email, identity?.["common_name"]].find((given) => typeof given === "string");
    return typeof name === "string" ? operatorName(name) : null;
  } catch (error) {
    log("warn", "sign_in_refused", { reason: "access_identity_unavailable", error: errorText(error) });
    return null;
  }
}
