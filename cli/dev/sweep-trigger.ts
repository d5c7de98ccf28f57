/** Fires the cron that does not fire locally, so that the sweep finds what nobody sends. */

const EVERY_MS = { fast: 15_000, real: 300_000 };

/** Returns what ends it. A failure is the Worker's to log; the next turn comes anyway. */
export function startSweeping(url: string, fastTimings: boolean): () => void {
  const timer = setInterval(
    () => {
      fetch(`${url}/cdn-cgi/local/scheduled`, { signal: AbortSignal.timeout(10_000) })
        .then((answer) => answer.body?.cancel())
        .catch(() => {});
    },
    EVERY_MS[fastTimings ? "fast" : "real"],
  );
  return () => clearInterval(timer);
}
