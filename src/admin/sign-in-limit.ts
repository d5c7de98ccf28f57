/**
 * Guesses of ADMIN_TOKEN are few from one address. Only wrong tokens count, so that no script of an operator is slowed; once the platform's counter says that
 * there were too many, this isolate believes nobody at that address for a minute, not even the right token: else the limit would tell who guessed it.
 * Who is signed in already, and Access, are not asked. An outage of the counter keeps nobody out.
 */
import type { Context } from "hono";
import { addressGroup } from "../core/sign-in.ts";
import { errorText, log } from "../log.ts";
import type { OperatorEnv } from "../operators/desk.ts";

/** The binding's period (wrangler.toml). */
export const SIGN_IN_LIMIT_SECONDS = 60;
/** Addresses that an isolate remembers; the oldest goes first. */
const ADDRESSES_LIMIT = 1_000;

const lockedUntilMs = new Map<string, number>();

/** Every request that Cloudflare lets in has it; others (a test, another Worker's binding) are not limited. */
const addressOf = (c: Context): string | null => {
  const address = c.req.header("cf-connecting-ip");
  return address === undefined ? null : addressGroup(address);
};

/** Whether this address must wait, however right its token is. */
export function isLocked(c: Context<OperatorEnv>): boolean {
  const address = addressOf(c);
  return address !== null && Date.now() < (lockedUntilMs.get(address) ?? 0);
}

/** One wrong token more. True: it was one too many. */
export async function countWrongToken(c: Context<OperatorEnv>): Promise<boolean> {
  const address = addressOf(c);
  // Deployments that were made before it have no such binding.
  const counter = (c.env as Partial<Env>).SIGN_IN_LIMIT;
  if (address === null || counter === undefined) return false;
  try {
    const { success } = await counter.limit({ key: address });
    if (success) return false;
  } catch (error) {
    log("warn", "sign_in_limit_failed", { error: errorText(error), hint: "wrong tokens are not counted while this lasts" });
    return false;
  }
  const [oldest] = lockedUntilMs.keys();
  if (oldest !== undefined && lockedUntilMs.size >= ADDRESSES_LIMIT) lockedUntilMs.delete(oldest);
  lockedUntilMs.set(address, Date.now() + SIGN_IN_LIMIT_SECONDS * 1_000);
  return true;
}
