/** One message to the receiver of alerts. Its URL is a secret: what went wrong is told without it. */
import type { Config } from "../config.ts";

/** null: it was taken; else why not, in words. */
export async function post(
  url: string,
  body: { readonly text: string },
  { alertPostMs }: Pick<Config["timings"], "alertPostMs">,
): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      // It was set by hand: whoever moves it says so.
      redirect: "manual",
      signal: AbortSignal.timeout(alertPostMs),
    });
    await response.body?.cancel();
    return response.ok ? null : `the receiver answered ${response.status}`;
  } catch (error) {
    // Never the error's own message: it may hold the URL.
    return error instanceof Error && error.name === "TimeoutError" ? `no answer within ${alertPostMs} ms` : "the receiver could not be reached";
  }
}
