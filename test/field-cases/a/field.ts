/** What the field cases share: their requests, byte for byte; the clock at which those were signed; and a handler whose every run shows. */
import { env } from "cloudflare:workers";
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { atTime, T0_MS } from "../clock.ts";
import type { EventMessage } from "../../../src/core/message.ts";
import { type Answer, fetchWorker } from "../../support/requests.ts";
import { Inbox } from "../../support/inbox.ts";
import { consume, type Consumed, type Ledger, ledger } from "../../support/ledger.ts";
import { sign } from "../../../src/schemes/scheme.ts";
import { balances, on, sources } from "../../support/own-app.ts";
import type { Route, Tx } from "#holdfast";
import vectors from "../../vectors/field-cases-a.json";

export { T0_MS };
export const STRIPE_SECRET = "whsec_b1test_stripe_primary";
export const STRIPE_OLD_SECRET = "whsec_b1test_stripe_old";
export const STRIPE_CONNECT_SECRET = "whsec_b1test_stripe_connect";

interface Vector {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBase64?: string;
  readonly bodyParts?: readonly (string | { readonly repeat: string; readonly times: number })[];
  readonly sha256: string;
}

export function vector(name: string): Vector & { readonly body: Uint8Array } {
  const [id, request] = name.split(" ");
  const found = (vectors as unknown as Record<string, Record<string, Vector>>)[id ?? ""]?.[request ?? ""];
  if (found === undefined) throw new Error(`there is no vector ${name}`);
  const parts = found.bodyParts?.map((part) => (typeof part === "string" ? part : part.repeat.repeat(part.times))).join("");
  const body = parts === undefined ? Uint8Array.from(atob(found.bodyBase64 ?? ""), (one) => one.charCodeAt(0)) : new TextEncoder().encode(parts);
  return { ...found, body };
}

const SECRETS = { stripe: STRIPE_SECRET, github: "gh-test-secret" } as const;
/** Headers that sign other bytes as the case's sender would have, at its time. */
export async function signedHeaders(
  source: keyof typeof SECRETS,
  body: Uint8Array,
  secret: string = SECRETS[source],
): Promise<Record<string, string>> {
  const unsigned = { method: "POST", url: "", headers: {}, id: "", timestampMs: T0_MS, body };
  // A copy: keys are remembered by scheme, and the Worker is to derive its own.
  return { ...(await sign({ ...sources[source].scheme }, unsigned, { secret, privateKey: null })).headers };
}

/** A request of a case under another event id: bytes and headers, to be sent in its place. */
export async function underId(
  name: string,
  id: string,
  as: string,
): Promise<{ readonly body: Uint8Array; readonly headers: Record<string, string> }> {
  const body = new TextEncoder().encode(new TextDecoder().decode(vector(name).body).replace(id, as));
  return { body, headers: await signedHeaders("stripe", body) };
}

export interface SendOptions {
  readonly bindings?: Partial<Record<string, unknown>>;
  readonly nowMs?: number;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit | null;
}

/** A file's own ledger, and the queue's messages in its hands. */
export class Field {
  readonly #inbox = Inbox.open();
  readonly #bindings: Record<string, unknown>;

  readonly books: Ledger;

  private constructor(books: Ledger) {
    this.books = books;
    this.#bindings = { ...books.env, STRIPE_WEBHOOK_SECRET: STRIPE_SECRET };
  }

  static async open(name: string): Promise<Field> {
    return new Field(await ledger(`field_${name}`));
  }

  /** The case's request, as it is, at the time of its signature: `B03 r1`. Objects outlive a file: an id is one file's. */
  send(name: string, { bindings = {}, nowMs = T0_MS, path, headers, body }: SendOptions = {}): Promise<Answer> {
    const made = vector(name);
    const request = new Request(`https://hooks.example.test${path ?? made.path}`, {
      method: "POST",
      body: body === undefined ? made.body : body,
      headers: { ...made.headers, ...headers },
    });
    return atTime(nowMs, () => fetchWorker(request, { ...this.#bindings, ...bindings } as unknown as Env));
  }

  /** Once the queue has brought this many messages of the event. */
  async messages(id: string, count = 1): Promise<readonly EventMessage[]> {
    return this.#inbox.until(id, count);
  }

  /** How many messages of the event there are, once everything that was sent has come. */
  async sent(id: string): Promise<number> {
    await this.#inbox.drained();
    return this.#inbox.of(id).length;
  }

  consume(messages: readonly unknown[], handlers: readonly Route[] = credit): Promise<Consumed> {
    return consume(this.books, messages, handlers);
  }

  /** The wait for the next attempt is over. */
  due(id: string): Promise<unknown> {
    return this.books.run(`update webhook_events set sent_at = now() - interval '1 minute' where event_id = '${id}'`);
  }

  /** How many rows the event has, and how often its effect was applied. */
  async counts(id: string): Promise<{ events: number; effects: number; status: string | null }> {
    const [row] = await this.books.run(
      `select (select count(*)::int from webhook_events where event_id = '${id}') as events,
        (select coalesce(sum(balance), 0)::int from test_balances where user_id = '${id}') as effects,
        (select max(status) from webhook_events where event_id = '${id}') as status`,
    );
    return row as unknown as { events: number; effects: number; status: string | null };
  }
}

export const ONCE = { events: 1, effects: 1, status: "completed" };

/** Adds one under the event's id, and has no guard of its own: a second run would be seen. */
export const credits = async ({ tx, event }: { readonly tx: Tx; readonly event: { readonly id: string } }): Promise<void> => {
  await tx
    .insert(balances)
    .values({ userId: event.id, balance: 1n })
    .onConflictDoUpdate({ target: balances.userId, set: { balance: sql`${balances.balance} + 1` } });
};
export const credit: readonly Route[] = [
  on("stripe", "*", credits),
  on("github", "*", credits),
  on("standard", "*", credits),
  on("generic", "*", credits),
];

export const claimOf = (source: string, id: string) => env.CLAIMS.getByName(`${source}:${id}`);
/** Whether anybody has written to the event's object. */
export const isClaimed = (source: string, id: string): Promise<boolean> =>
  runInDurableObject(claimOf(source, id), async (_, state) => [...state.storage.kv.list()].length > 0);
/** The claim is gone: its retention is over, or the platform lost it. */
export async function forget(source: string, id: string): Promise<void> {
  await runInDurableObject(claimOf(source, id), async (_, state) => {
    await state.storage.deleteAlarm();
    await state.storage.deleteAll();
  });
  await evictDurableObject(claimOf(source, id));
}
