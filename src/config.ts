/** Env -> Config, once per isolate: total afterwards. What is wrong with the environment is data in `problems`, logged when it is first read. */
import type { Secrets } from "./core/reasons.ts";
import { timings, type Timings } from "./core/timings.ts";
import { log } from "./log.ts";

/** Compiled in (wrangler.toml [define]): true under `npm run dev` and the tests, false in a deployed bundle. */
declare const DEV: boolean;

/** Whether this is a laptop or a test, never a deployed bundle. */
export const isDev = (): boolean => DEV;

export interface Config {
  readonly timings: Timings;
  /** null: not set, or too short to be one. */
  readonly adminToken: string | null;
  /** The audience tag of the Cloudflare Access application in front of /admin; null: there is none. */
  readonly accessAud: string | null;
  /** Share of successful outcomes that are logged, 0 to 1. Failures always are. */
  readonly logSuccessRate: number;
  /** The deployed version, for the ledger's `build` column; null where the platform does not say. */
  readonly build: string | null;
  /** Rows of settled events older than this are deleted; null keeps them for good (the default: a deleted row can run again). */
  readonly ledgerKeepDays: number | null;
  /** When the ledger was restored from a backup: what a claim has known as completed since before then is asked of the ledger again; null: never. */
  readonly restoredAtMs: number | null;
  readonly problems: readonly ConfigProblem[];
  secretsOf(source: string): Secrets;
  /** What a provider's GET handshake must bring along (Meta's verify token); null: not configured. */
  verifyTokenOf(source: string): string | null;
  /** Where providers reach this Worker, without a slash at its end; null: not configured. */
  readonly publicBaseUrl: string | null;
  /** Development only: what the provider's key server would answer (`<SOURCE>_WEBHOOK_SERVED_KEY`), so that `npm run send` can sign. */
  servedKeyOf(source: string): string | null;
}

export type ConfigProblem =
  | { readonly reason: "timings_fast_refused"; readonly what: string }
  | { readonly reason: "variable_invalid"; readonly what: string };

/** The variable that holds a source's secret: `stripe-eu` -> STRIPE_EU_WEBHOOK_SECRET, `generic` -> WEBHOOK_SECRET. */
export function secretVariable(source: string): string {
  return source === "generic" ? "WEBHOOK_SECRET" : `${source.toUpperCase().replaceAll("-", "_")}_WEBHOOK_SECRET`;
}

/** The variable that holds what a provider's GET handshake must bring along. */
export function verifyTokenVariable(source: string): string {
  return secretVariable(source).replace(/SECRET$/, "VERIFY_TOKEN");
}

/** Shortest period after which a settled row may be deleted: claims of failed events live this long. */
const LEDGER_KEEP_FLOOR_DAYS = 30;

/** Of the letters that `openssl rand` gives, so many cannot be guessed; what is shorter was thought up. */
const ADMIN_TOKEN_FLOOR_CHARACTERS = 16;

/** What ends up in a variable by mistake: a secret that everybody knows is none. */
const PLACEHOLDER = /^(?:undefined|null|none|random|random-whsec|secret|change-?me|todo|xxx+|<.*>|\.\.\.)$/i;

export function readConfig(env: object): Config {
  const variables = env as Readonly<Record<string, unknown>>;
  const problems: ConfigProblem[] = [];
  const text = (name: string): string | null => {
    const value = variables[name];
    const trimmed = typeof value === "string" ? value.trim() : "";
    return trimmed === "" ? null : trimmed;
  };
  const secret = (name: string): string | null => {
    const value = text(name);
    return value === null || PLACEHOLDER.test(value) ? null : value;
  };
  const number = (name: string, low: number, high: number): number | null => {
    const given = text(name);
    if (given === null) return null;
    const value = Number(given);
    if (Number.isFinite(value) && value >= low && value <= high) return value;
    problems.push({ reason: "variable_invalid", what: `${name} must be a number from ${low} to ${high}; it is ignored` });
    return null;
  };
  const baseUrl = (): string | null => {
    const given = text("PUBLIC_BASE_URL")?.replace(/\/+$/, "") ?? null;
    if (given === null || /^https?:\/\/[^\s/?#]+(?:\/[^\s?#]*)?$/.test(given)) return given;
    problems.push({ reason: "variable_invalid", what: "PUBLIC_BASE_URL must be like https://hooks.example.com; it is ignored" });
    return null;
  };
  const instant = (name: string): number | null => {
    const given = text(name);
    if (given === null) return null;
    const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(given) ? Date.parse(given) : Number.NaN;
    if (!Number.isNaN(ms)) return ms;
    problems.push({ reason: "variable_invalid", what: `${name} must be a time with its zone, like 2026-11-30T03:00:00Z; it is ignored` });
    return null;
  };
  const adminToken = (): string | null => {
    const given = secret("ADMIN_TOKEN");
    if (given === null || given.length >= ADMIN_TOKEN_FLOOR_CHARACTERS) return given;
    const what = `ADMIN_TOKEN has fewer than ${ADMIN_TOKEN_FLOOR_CHARACTERS} characters and can be guessed; it is ignored, and /admin does not take it`;
    problems.push({ reason: "variable_invalid", what });
    return null;
  };
  const wantsFast = text("TIMINGS") === "fast";
  if (wantsFast && !DEV)
    problems.push({ reason: "timings_fast_refused", what: "TIMINGS=fast is for development: a deployed Worker keeps the real timings" });
  const build = variables["BUILD"];
  return {
    timings: timings(wantsFast && DEV ? "fast" : "real"),
    adminToken: adminToken(),
    accessAud: text("ACCESS_AUD"),
    logSuccessRate: number("LOG_SUCCESS_RATE", 0, 1) ?? 1,
    build: typeof build === "object" && build !== null && "id" in build && typeof build.id === "string" && build.id !== "" ? build.id : null,
    ledgerKeepDays: number("LEDGER_KEEP_DAYS", LEDGER_KEEP_FLOOR_DAYS, 36_500),
    restoredAtMs: instant("LEDGER_RESTORED_AT"),
    problems,
    secretsOf: (source) => ({ current: secret(secretVariable(source)), next: secret(`${secretVariable(source)}_NEXT`) }),
    verifyTokenOf: (source) => text(verifyTokenVariable(source)),
    publicBaseUrl: baseUrl(),
    servedKeyOf: (source) => (DEV ? text(secretVariable(source).replace(/SECRET$/, "SERVED_KEY")) : null),
  };
}

const known = new WeakMap<object, Config>();

/** The Config of these bindings, read once per isolate: they cannot change while one lives, and a claim is a new object for each event. */
export function configOf(env: object): Config {
  const before = known.get(env);
  if (before !== undefined) return before;
  const config = readConfig(env);
  known.set(env, config);
  for (const problem of config.problems) log("error", "config_problem", { reason: problem.reason, hint: problem.what });
  return config;
}
