/** What the two handshakes that reach out do: confirm a subscription, keep a secret. Neither throws. */
import type { Config } from "../config.ts";
import { HANDSHAKES_PER_MINUTE } from "../core/limits.ts";
import { within } from "../deadline.ts";
import { errorText, log } from "../log.ts";
import { openClient } from "../store/client.ts";
import { keepHandshake } from "../store/statements/handshakes.ts";
import { MinuteBudget } from "./minute-budget.ts";

/** The URL is on the preset's allow-list. Whether it answered 2xx. */
export async function confirmUrl(url: string, timeoutMs: number, source: string): Promise<boolean> {
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
    await response.body?.cancel();
    if (!response.ok) log("warn", "confirmation_failed", { source, status: response.status });
    return response.ok;
  } catch (error) {
    log("warn", "confirmation_failed", { source, error: errorText(error) });
    return false;
  }
}

/** One per isolate: while a source has no secret anybody can post one, and each costs a connection to the ledger. */
const secrets = new MinuteBudget(HANDSHAKES_PER_MINUTE, Number.POSITIVE_INFINITY);

/** `full`: too many of this source came lately. */
export async function keepSecret(
  env: Pick<Env, "HYPERDRIVE">,
  { timings }: Config,
  source: string,
  secret: string,
): Promise<"kept" | "full" | "failed"> {
  if (!secrets.take(source, Date.now())) return "full";
  const client = openClient(env.HYPERDRIVE, timings);
  try {
    const kept = await within(timings.directSendMs, "ledger", keepHandshake(client.db, source, secret, timings.handshakeHeldMs));
    if (kept === null) return "full";
    const hint = `an operator reads it with GET /admin/api/sources/${source}/handshakes`;
    if (kept.others === 0) log("info", "handshake_kept", { source, hint });
    else log("warn", "handshake_kept", { source, hint: `${hint}; ${kept.others} other(s) are kept too: ${AMBIGUOUS}` });
    return "kept";
  } catch (error) {
    client.abandon("the handshake is over");
    log("warn", "handshake_not_kept", { source, error: errorText(error) });
    return "failed";
  }
}

const AMBIGUOUS =
  "whoever knows the URL can post one, so set none that the provider does not confirm; a source under a name that nobody guesses gets no others";
