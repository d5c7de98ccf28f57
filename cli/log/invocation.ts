/**
 * Pure. One object of `wrangler tail --format json` is one invocation of the Worker: how it was called, how it ended, what it logged and what it threw.
 * The fields are the platform's TailItem: https://developers.cloudflare.com/workers/runtime-apis/handlers/tail/
 */
import { type Fact, factOf } from "./fact.ts";

export type Line = { readonly kind: "fact"; readonly fact: Fact } | { readonly kind: "text"; readonly text: string };

/** Lines that belong together. */
export interface Group {
  readonly lines: readonly Line[];
  /** The invocation did not end as it should: facts of its end, which the Worker could not log itself. */
  readonly failures: readonly Fact[];
}

type Fields = Readonly<Record<string, unknown>>;

/** null: it is no such object. */
export function invocationOf(value: unknown): Group | null {
  if (!isFields(value) || typeof value["outcome"] !== "string" || !Array.isArray(value["logs"]) || !Array.isArray(value["exceptions"])) return null;
  const about = { at: timeOf(value["eventTimestamp"]), ...calledBy(value) };
  const { outcome, exceptions, logs } = value as { outcome: string; exceptions: unknown[]; logs: unknown[] };
  const failures: Fact[] = exceptions.filter(isFields).map((one) => ({
    level: "error",
    event: "worker_exception",
    ...about,
    at: timeOf(one["timestamp"]),
    error: `${textOf(one["name"])}: ${textOf(one["message"])}`,
    ...(typeof one["stack"] === "string" ? { stack: one["stack"] } : {}),
  }));
  // Said once: where it threw, that is how it ended.
  if (outcome !== "ok" && !(outcome === "exception" && failures.length > 0)) failures.push(endOf(value, outcome, about));
  if (value["truncated"] === true)
    failures.push({ level: "warn", event: "worker_log_cut", ...about, hint: "the platform kept only the first of this invocation's lines" });
  return { lines: [...logs.flatMap(lineOf), ...overload(value)], failures };
}

/** The client that hung up is no fault of the Worker's; everything else is (`exceededCpu`, `exceededMemory`, `exception`, ...). */
function endOf({ wallTime, cpuTime }: Fields, outcome: string, about: Fields): Fact {
  const ms = { ...(typeof wallTime === "number" ? { wall: wallTime } : {}), ...(typeof cpuTime === "number" ? { cpu: cpuTime } : {}) };
  return { level: outcome === "canceled" ? "warn" : "error", event: "worker_ended", ...about, outcome, ms };
}

function lineOf(log: unknown): Line[] {
  if (!isFields(log)) return [];
  const parts: readonly unknown[] = Array.isArray(log["message"]) ? log["message"] : [log["message"]];
  const fact = parts.length === 1 && typeof parts[0] === "string" ? factOf(parts[0]) : null;
  if (fact !== null) return [{ kind: "fact", fact }];
  return [{ kind: "text", text: `(${textOf(log["level"])}) ${parts.map(textOf).join(" ")}` }];
}

/** When more happens than a tail can carry, the platform says that it leaves some out. */
function overload({ event }: Fields): Line[] {
  if (!isFields(event) || typeof event["message"] !== "string" || typeof event["type"] !== "string") return [];
  return [{ kind: "fact", fact: { level: "warn", event: `tail_${event["type"]}`, hint: event["message"] } }];
}

const WEBHOOKS = /^\/webhooks\/([^/]+)\/?$/;

/** How it was called, without what may be secret there: a URL's query, headers. */
function calledBy({ event, entrypoint }: Fields): { readonly trigger: string; readonly source?: string } {
  if (!isFields(event)) return { trigger: "unknown" };
  const { request, rpcMethod, queue, cron } = event;
  if (isFields(request)) {
    const path = pathOf(textOf(request["url"]));
    const source = path === "/api/v1/webhooks" ? "generic" : WEBHOOKS.exec(path)?.[1];
    return { trigger: `${textOf(request["method"])} ${path}`, ...(source === undefined ? {} : { source }) };
  }
  if (typeof rpcMethod === "string") return { trigger: `${typeof entrypoint === "string" ? `${entrypoint}.` : ""}${rpcMethod}` };
  if (typeof queue === "string") return { trigger: `queue ${queue}, ${textOf(event["batchSize"])} messages` };
  if (typeof cron === "string") return { trigger: `cron ${cron}` };
  return { trigger: "scheduledTime" in event ? "alarm" : "unknown" };
}

function pathOf(url: string): string {
  try {
    return new URL(url).pathname;
  } catch {
    return url.split(/[?#]/, 1)[0] ?? "";
  }
}

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

function timeOf(ms: unknown): string {
  const time = new Date(typeof ms === "number" ? ms : Number.NaN);
  return Number.isNaN(time.getTime()) ? "" : time.toISOString();
}
