/** What the two handshakes that reach out do: confirm a subscription, keep a secret. Neither throws. */
import type { Config } from "../config.ts";
import { within } from "../deadline.ts";
import { errorText, log } from "../log.ts";
import { openClient } from "../store/client.ts";
import { keepHandshake } from "../store/statements/handshakes.ts";

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

export async function keepSecret(env: Pick<Env, "HYPERDRIVE">, { timings }: Config, source: string, secret: string): Promise<boolean> {
  const client = openClient(env.HYPERDRIVE, timings);
  try {
    await within(timings.directSendMs, "ledger", keepHandshake(client.db, source, secret));
    log("info", "handshake_kept", { source, hint: `an operator reads it with GET /admin/api/sources/${source}/handshakes` });
    return true;
  } catch (error) {
    client.abandon("the handshake is over");
    log("warn", "handshake_not_kept", { source, error: errorText(error) });
    return false;
  }
}
