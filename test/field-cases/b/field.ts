/** What the field cases of the second half share: their requests byte for byte, the clock at which these were signed, and their sources. */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { vi } from "vitest";
import { atTime, T0_MS } from "../clock.ts";
import type { EventMessage } from "../../../src/core/message.ts";
import { discord } from "../../../src/providers/discord.ts";
import { meta } from "../../../src/providers/meta.ts";
import { sendgrid } from "../../../src/providers/sendgrid.ts";
import { slack } from "../../../src/providers/slack.ts";
import { stripe } from "../../../src/providers/stripe.ts";
import { twilio } from "../../../src/providers/twilio.ts";
import { defineSources, onFor, type Route, type RunContext } from "#holdfast";
import { Inbox } from "../../support/inbox.ts";
import { consume, type Consumed, type Ledger, ledger } from "../../support/ledger.ts";
import { balances, sources as own } from "../../support/own-app.ts";
import { type Answer, fetchWorker } from "../../support/requests.ts";
import vectors from "../../vectors/field-cases-b.json";

export { T0_MS };
export const TOKEN = "test-admin-token";

export const sources = defineSources({
  ...own,
  "stripe-live": stripe({ mode: "live" }),
  "stripe-test": stripe({ mode: "test" }),
  "stripe-patient": stripe({ maxAgeSeconds: 259_200 }),
  sendgrid: sendgrid(),
  slack: slack(),
  discord: discord({ endpoint: "interactions" }),
  meta: meta(),
  twilio: twilio(),
});
export const on = onFor(sources);

const STRIPE_SECRET = "whsec_b1test_stripe_primary";
export const SECRETS = {
  STRIPE_WEBHOOK_SECRET: STRIPE_SECRET,
  STRIPE_LIVE_WEBHOOK_SECRET: STRIPE_SECRET,
  STRIPE_TEST_WEBHOOK_SECRET: STRIPE_SECRET,
  STRIPE_PATIENT_WEBHOOK_SECRET: STRIPE_SECRET,
  SLACK_WEBHOOK_SECRET: "slack-test-signing-secret",
  SENDGRID_WEBHOOK_SECRET:
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEtaEEtsqt+hWm+56zk5I3KE1ATp2UhrcGQRRXoW8S6EoYu+vZflJYZwdUQr1TDqTSnuethzqCpi6AS+PAjjTJ1g==",
  DISCORD_WEBHOOK_SECRET: "79b5562e8fe654f94078b112e8a98ba7901f853ae695bed7e0e3910bad049664",
  META_WEBHOOK_SECRET: "meta-test-app-secret",
  META_WEBHOOK_VERIFY_TOKEN: "vt-test",
  TWILIO_WEBHOOK_SECRET: "twilio-test-auth-token",
  PUBLIC_BASE_URL: "https://hooks.example.test",
};

interface Vector {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly bodyBase64?: string;
}

/** `B56 r1`: the bytes, and all else as it was sent. */
export function vector(name: string): Omit<Vector, "body"> & { readonly body: Uint8Array } {
  const [id = "", request = ""] = name.split(" ");
  const found = (vectors as Readonly<Record<string, Readonly<Record<string, Vector>>>>)[id]?.[request];
  if (found === undefined) throw new Error(`there is no vector ${name}`);
  return { ...found, body: found.body === undefined ? Uint8Array.fromBase64(found.bodyBase64 ?? "") : bytesOf(found.body) };
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export interface SendOptions {
  readonly bindings?: Readonly<Record<string, unknown>>;
  readonly path?: string;
  readonly origin?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | ReadableStream<Uint8Array>;
}

/** A file's own ledger, and the queue's messages in its hands. */
export class Field {
  readonly books: Ledger;
  readonly #inbox = Inbox.open();

  private constructor(books: Ledger) {
    this.books = books;
  }

  static async open(name: string): Promise<Field> {
    return new Field(await ledger(`field_${name}`));
  }

  bindings(other: Readonly<Record<string, unknown>> = {}): Env {
    return { ...this.books.env, ...SECRETS, ...other };
  }

  /** The case's request as it is, at the time of its signature. */
  send(name: string, { bindings, path, origin = "https://hooks.example.test", headers, body }: SendOptions = {}): Promise<Answer> {
    const made = vector(name);
    return this.post(
      new Request(`${origin}${path ?? made.path}`, { method: "POST", body: body ?? made.body, headers: { ...made.headers, ...headers } }),
      bindings,
    );
  }

  post(request: Request, bindings: Readonly<Record<string, unknown>> = {}, nowMs: number = T0_MS): Promise<Answer> {
    return atTime(nowMs, () => fetchWorker(request, this.bindings(bindings), sources));
  }

  admin(path: string, method: string, token: string | null = TOKEN): Promise<Answer> {
    const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    return fetchWorker(new Request(`https://hooks.example.test/admin/api/events/${path}`, { method, headers }), this.bindings(), sources);
  }

  /** Once the queue has brought this many messages of the event. */
  messages(id: string, count = 1): Promise<readonly EventMessage[]> {
    return this.#inbox.until(id, count);
  }

  /** Once everything that was sent has come. */
  async sent(id: string): Promise<readonly EventMessage[]> {
    await this.#inbox.drained();
    return this.#inbox.of(id);
  }

  consume(
    messages: readonly unknown[],
    handlers: readonly Route[],
    bindings: Readonly<Record<string, unknown>> = {},
    deliveries = 1,
  ): Promise<Consumed> {
    return consume({ env: this.bindings(bindings) }, messages, handlers, { sources, deliveries });
  }

  /** The wait for the next attempt is over. */
  due(id: string): Promise<unknown> {
    return this.books.run(`update webhook_events set sent_at = now() - interval '1 minute' where event_id = '${id}'`);
  }

  row = (id: string, source = "stripe") => this.books.row(id, source);

  async count(table: string, where = "true"): Promise<number> {
    const [row] = await this.books.run(`select count(*)::int as n from ${table} where ${where}`);
    return Number(row?.["n"]);
  }
}

/** Adds one under the event's id, with no guard of its own: a second run would be seen. */
export async function credit({ tx, event }: Pick<RunContext<unknown>, "tx" | "event">): Promise<void> {
  await tx
    .insert(balances)
    .values({ userId: event.id, balance: 1n })
    .onConflictDoUpdate({ target: balances.userId, set: { balance: sql`${balances.balance} + 1` } });
}

export const claimOf = (source: string, id: string) => env.CLAIMS.getByName(`${source}:${id}`);
/** The object loses its memory, and keeps its disk. */
export const evict = (source: string, id: string): Promise<void> => evictDurableObject(claimOf(source, id));
export const fireAlarm = (source: string, id: string): Promise<boolean> => runDurableObjectAlarm(claimOf(source, id));
/** What is on its disk, and when it wakes up. */
export const inside = (source: string, id: string): Promise<{ readonly keys: readonly string[]; readonly alarmMs: number | null }> =>
  runInDurableObject(claimOf(source, id), async (_, { storage }) => ({
    keys: [...storage.kv.list()].map(([key]) => key),
    alarmMs: await storage.getAlarm(),
  }));

export interface Line {
  readonly level: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

/** What was logged meanwhile, as text and as lines. */
export async function logged<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly text: string; readonly lines: readonly Line[] }> {
  const said: string[] = [];
  const spies = (["log", "info", "warn", "error", "debug"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => void said.push(parts.map(String).join(" "))),
  );
  try {
    const result = await work();
    return { result, text: said.join("\n"), lines: said.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as Line) };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
