/** The Worker of a chaos run: handlers that misbehave as their event's type says, a claim that can be struck, and the routes that strike it. */
import { AsyncLocalStorage } from "node:async_hooks";
import { sql } from "drizzle-orm";
import { bigint, pgTable, text } from "drizzle-orm/pg-core";
import { batchHandler, holdfast, onFor, PermanentError, skip, type Route, type Sources, type Tx } from "#holdfast";
import { providers, typeOf, type ChaosFact } from "../../cli/chaos/sources.ts";
import type { Behaviour } from "../../cli/chaos/schedule.ts";
import { EventClaim as Claim, type DeliverAnswer } from "../../src/claim/event-claim.ts";

/** Without a key: nothing but Holdfast keeps an effect from being written twice. */
const effects = pgTable("chaos_effects", { key: text("key").notNull(), amount: bigint("amount", { mode: "bigint" }).notNull() });
const balances = pgTable("chaos_balances", { userId: text("user_id").primaryKey(), balance: bigint("balance", { mode: "bigint" }).notNull() });

const FLAKY_FAILURES = 2;
const SLOW_MS = 400;

async function credit(tx: Tx, key: string, { userId, amount }: ChaosFact): Promise<void> {
  await tx.insert(effects).values({ key, amount: BigInt(amount) });
  await tx
    .insert(balances)
    .values({ userId, balance: BigInt(amount) })
    .onConflictDoUpdate({ target: balances.userId, set: { balance: sql`${balances.balance} + excluded.balance` } });
}

const sources: Sources = providers;
const on = onFor(sources);
const factOf = (data: unknown): ChaosFact => (data as { chaos: ChaosFact }).chaos;

const handlersOf = (source: string): readonly Route[] => {
  const of = (behaviour: Behaviour): string => typeOf(behaviour);
  return [
    on(source, of("credit"), ({ tx, event, data }) => credit(tx, event.key, factOf(data))),
    on(
      source,
      of("batched"),
      batchHandler(async ({ tx, events }) => {
        for (const { key, data } of events) await credit(tx, key, factOf(data));
      }),
    ),
    on(source, of("slow"), async ({ tx, event, data }) => {
      await credit(tx, event.key, factOf(data));
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      await tx.execute(sql`select 1`);
    }),
    on(source, of("flaky"), async ({ tx, event, data }) => {
      await credit(tx, event.key, factOf(data));
      if (event.attempt <= FLAKY_FAILURES) throw new Error("flaky");
    }),
    on(source, of("hang"), async ({ tx, event, data }) => {
      await credit(tx, event.key, factOf(data));
      if (event.attempt === 1) await new Promise<void>(() => {});
    }),
    on(source, of("told"), {
      async run({ tx, event, data }) {
        await credit(tx, event.key, factOf(data));
        return { key: event.key };
      },
      async after({ result, env, fetch }) {
        const { LISTENER } = env as unknown as { LISTENER: string };
        const answer = await fetch(`${LISTENER}/${result.key}`);
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`the listener answered ${answer.status}`);
      },
    }),
    on(source, of("poison"), async ({ tx, event, data }) => {
      await credit(tx, event.key, factOf(data));
      throw new Error("poison");
    }),
    on(source, of("permanent"), async ({ tx, event, data }) => {
      await credit(tx, event.key, factOf(data));
      throw new PermanentError("never");
    }),
    on(source, of("skip"), async () => skip("nothing to do")),
  ];
};

/** One isolate runs the front door, the consumer and the claims: what a route sets, they see. A new isolate is well again. */
let queueRefusesUntilMs = 0;
let claimsFailUntilMs = 0;
/** Of the request that is being answered. */
const answering = new AsyncLocalStorage<{ isDirect: boolean }>();

/** The same object for the same bindings: the configuration is read once for each. */
const known = new WeakMap<object, Env>();
function unreliable(env: Env): Env {
  const before = known.get(env);
  if (before !== undefined) return before;
  const refuse = (): void => {
    if (Date.now() < queueRefusesUntilMs) throw new Error("chaos: the queue refuses");
  };
  const EVENTS: Env["EVENTS"] = {
    async send(message, options) {
      refuse();
      const now = answering.getStore();
      if (now !== undefined) now.isDirect = true;
      return env.EVENTS.send(message, options);
    },
    async sendBatch(messages, options) {
      refuse();
      return env.EVENTS.sendBatch(messages, options);
    },
    metrics: () => env.EVENTS.metrics(),
  };
  const broken = { ...env, EVENTS };
  known.set(env, broken);
  return broken;
}

export { ReplayRun } from "../../src/replay-run/replay-run.ts";

export class EventClaim extends Claim {
  constructor(state: DurableObjectState, env: Env) {
    super(state, unreliable(env));
  }

  override async deliver(delivery: Parameters<Claim["deliver"]>[0]): Promise<DeliverAnswer> {
    if (Date.now() < claimsFailUntilMs) return { error: "chaos: the claim fails", kind: null, otherDigest: null };
    return super.deliver(delivery);
  }

  /** Ends this object where it stands: what is not on disk is gone. */
  evict(): void {
    this.ctx.abort("chaos: evicted");
  }
}

const app = holdfast({ sources, handlers: Object.keys(sources).flatMap(handlersOf) });

async function strike(what: string, request: Request, env: Env): Promise<Response> {
  const { forMs = 0, names = [] } = await request.json<{ readonly forMs?: number; readonly names?: readonly string[] }>();
  switch (what) {
    case "queue-refuses":
      queueRefusesUntilMs = Date.now() + forMs;
      break;
    case "claims-fail":
      claimsFailUntilMs = Date.now() + forMs;
      break;
    case "evict":
      await Promise.all(
        names.map((name) => (env.CLAIMS.getByName(name) as unknown as EventClaim).evict()).map((end) => Promise.resolve(end).catch(() => {})),
      );
      break;
    case "sweep":
      await app.scheduled({} as ScheduledController, unreliable(env));
      break;
    default:
      return new Response("no such fault", { status: 404 });
  }
  return new Response("done");
}

export default {
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/chaos/")) return strike(pathname.slice("/chaos/".length), request, env);
    const now = { isDirect: false };
    const response = await answering.run(now, async () => app.fetch(request, unreliable(env), context));
    // The audit must know: the local queue forgets what it has when it is killed, and then only the claim remembers.
    return now.isDirect
      ? new Response(response.body, { status: response.status, headers: { ...Object.fromEntries(response.headers), "chaos-direct": "1" } })
      : response;
  },
  queue: (batch, env) => app.queue(batch, unreliable(env)),
  scheduled: (controller, env) => app.scheduled(controller, unreliable(env)),
} satisfies ExportedHandler<Env>;
