/** The public surface, `#holdfast`: all that a user's files import. */
import { createApp } from "./app.ts";
import { configOf } from "./config.ts";
import { PermanentError, RetryAfterError } from "./core/errors.ts";
import { SOURCE_NAME } from "./core/event.ts";
import { duplicateRoute } from "./core/routes.ts";
import type { Route, Sources } from "./handler.ts";
import { consume, type Consumer } from "./queue/consume.ts";
import { deadLetter } from "./queue/dead-letter.ts";
import { sweep } from "./sweep.ts";

export { PermanentError, RetryAfterError };
export { batchHandler, onFor, skip } from "./handler.ts";
export type { AfterContext, BatchContext, Handler, On, Route, Run, RunContext, Skip, Sources, WebhookEvent } from "./handler.ts";
export { custom } from "./providers/provider.ts";
export type { CustomPage, Provider, SourceOptions } from "./providers/provider.ts";
export { compound, compoundWith, digest, eachDelivery, firstField, form, hashed, header, joined, json, literal, query } from "./providers/readers.ts";
export type { Tx } from "./store/guard.ts";

/** Longer than any provider retries; a longer window would let a captured request be sent again for good. */
const MAX_AGE_LIMIT_SECONDS = 30 * 86_400;

/** The sources under their names. Throws on a name that could not stand in a URL and in a secret's variable, and on a window that is none. */
export function defineSources<const S extends Sources>(sources: S): S {
  for (const [name, { maxAgeSeconds }] of Object.entries(sources)) {
    if (!SOURCE_NAME.test(name))
      throw new Error(`src/sources.ts: "${name}" cannot name a source: lower-case letters, digits and inner hyphens, at most 64`);
    if (maxAgeSeconds !== undefined && !(Number.isInteger(maxAgeSeconds) && maxAgeSeconds >= 1 && maxAgeSeconds <= MAX_AGE_LIMIT_SECONDS))
      throw new Error(`src/sources.ts: maxAgeSeconds of "${name}" must be a whole number from 1 to ${MAX_AGE_LIMIT_SECONDS} (30 days)`);
  }
  return sources;
}

export interface HoldfastOptions {
  readonly sources: Sources;
  readonly handlers: readonly Route[];
}

/** The Worker. Throws at start-up on handlers that could never run. */
export function holdfast({ sources, handlers }: HoldfastOptions) {
  const twice = duplicateRoute(handlers);
  if (twice !== null) throw new Error(`src/handlers: two handlers for ${twice.source} ${twice.type}; the second would never run`);
  const lost = handlers.find((route) => !Object.hasOwn(sources, route.source));
  if (lost !== undefined) throw new Error(`src/handlers: a handler for the source "${lost.source}", which src/sources.ts does not have`);
  const app = createApp(sources);
  const consumer = (env: Env): Consumer => ({
    env,
    config: configOf(env),
    routes: handlers,
    provider: (source) => (Object.hasOwn(sources, source) ? (sources[source] ?? null) : null),
  });
  return {
    fetch: (request, env, context) => app.fetch(request, env, context),
    // By its ending, so that a deployment may name its queues as it likes.
    queue: (batch, env) => (batch.queue.endsWith("-dlq") ? deadLetter(batch, consumer(env)) : consume(batch, consumer(env))),
    scheduled: (_controller, env) => sweep(env, configOf(env), Object.keys(sources)),
  } satisfies ExportedHandler<Env>;
}
