/** GET /readyz: whether this Worker could take a delivery to its end now. Anybody may ask, so it is looked up once in a while, whoever asks how often. */
import appJournal from "../migrations/app/meta/_journal.json" with { type: "json" };
import journal from "../migrations/meta/_journal.json" with { type: "json" };
import { type Config, isDev } from "./config.ts";
import { within } from "./deadline.ts";
import { errorText, log } from "./log.ts";
import { missingFor } from "./missing.ts";
import type { Provider } from "./providers/provider.ts";
import { openClient } from "./store/client.ts";
import { databaseFault } from "./store/sqlstates.ts";
import { readMigrations } from "./store/statements/read-migrations.ts";

/** Words for anybody: no address, no error of the database's. */
export interface Readiness {
  readonly status: "ready" | "not_ready";
  readonly checks: { readonly database: string; readonly migrations: string; readonly secrets: string };
}

interface Known {
  readonly atMs: number;
  readonly readiness: Readiness;
}

interface Lookup {
  known: Known | null;
  /** Since when a request looks it up; null: none does. */
  askedSinceMs: number | null;
}

/** Of these bindings. What was found is kept, not the promise: that belongs to the request that asked, and may never settle once it is gone. */
const lookups = new WeakMap<object, Lookup>();
const WAIT_MS = 25;

export async function readiness(env: Env, config: Config, sources: Readonly<Record<string, Provider>>): Promise<Readiness> {
  const { readyKeptMs, readyLimitMs } = config.timings;
  const lookup = lookups.get(env) ?? { known: null, askedSinceMs: null };
  lookups.set(env, lookup);
  for (;;) {
    const nowMs = Date.now();
    const { known, askedSinceMs } = lookup;
    if (known !== null && nowMs - known.atMs < readyKeptMs) return known.readiness;
    if (askedSinceMs === null || nowMs - askedSinceMs > readyLimitMs) break;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  const askedMs = Date.now();
  lookup.askedSinceMs = askedMs;
  // Who took longer than he may was passed by another, whose answer is newer.
  const isStillMine = () => lookup.askedSinceMs === askedMs;
  try {
    const checks = { ...(await ledgerChecks(env, config)), secrets: secretsCheck(config, sources) };
    const isReady = Object.values(checks).every((check) => check === OK);
    const found: Readiness = { status: isReady ? "ready" : "not_ready", checks };
    if (isStillMine()) lookup.known = { atMs: Date.now(), readiness: found };
    return found;
  } finally {
    if (isStillMine()) lookup.askedSinceMs = null;
  }
}

const OK = "ok";
const NO_ANSWER = { database: "no answer", migrations: "not known" };
const UNDEFINED_TABLE = "42P01";

async function ledgerChecks(env: Env, { timings }: Config): Promise<Pick<Readiness["checks"], "database" | "migrations">> {
  const client = openClient(env.HYPERDRIVE, timings);
  try {
    const applied = await within(timings.readyLimitMs / 2, "the ledger", readMigrations(client.db));
    const behind = [
      ...(isBehind(applied.holdfast, journal) ? ["migrations/"] : []),
      ...(isBehind(applied.app, appJournal) ? ["migrations/app/"] : []),
    ];
    return { database: OK, migrations: behind.length === 0 ? OK : `${behind.join(" and ")} not all applied: npm run migrate` };
  } catch (error) {
    if (databaseFault(error)?.sqlstate === UNDEFINED_TABLE) return { database: OK, migrations: "none applied: npm run migrate" };
    log("warn", "not_ready", { error: errorText(error) });
    return NO_ANSWER;
  } finally {
    // The platform closes the connection with the request; what is still on its way is not waited for.
    client.abandon("the question is answered");
  }
}

/** A database that is newer than this bundle is ready: migrations are additive, and are applied before a deploy. */
function isBehind(appliedMs: number | null, { entries }: { readonly entries: readonly { readonly when: number }[] }): boolean {
  const newestMs = Math.max(0, ...entries.map(({ when }) => when));
  return newestMs > (appliedMs ?? 0);
}

function secretsCheck(config: Config, sources: Readonly<Record<string, Provider>>): string {
  const incomplete = Object.entries(sources).filter(([source, provider]) =>
    missingFor(source, provider, config, isDev()).some(({ refuses }) => refuses),
  );
  return incomplete.length === 0 ? OK : `missing for ${incomplete.map(([source]) => source).join(", ")}`;
}
