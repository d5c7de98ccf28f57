/** Asks Postgres itself, over a line that nothing strikes. */
import type postgres from "postgres";
import type { Effect, LedgerRow } from "./verdict.ts";

export interface Audit {
  readonly rows: readonly LedgerRow[];
  readonly effects: readonly Effect[];
  readonly balances: number;
}

/** One statement each: the driver takes no more. */
export const TABLES_SQL = [
  "create table if not exists chaos_effects (key text not null, amount bigint not null)",
  "create table if not exists chaos_balances (user_id text primary key, balance bigint not null)",
];

export async function audit(sql: postgres.Sql): Promise<Audit> {
  return sql.begin("isolation level repeatable read read only", async (tx) => ({
    rows: await tx<LedgerRow[]>`
      select
        source,
        event_id as "eventId",
        status,
        reason,
        after,
        digest,
        encode(sha256(body), 'hex') as "bodyDigest",
        last_error is not null as "hasError",
        exists (
          select from webhook_attempts a
          where a.source = e.source and a.event_id = e.event_id and a.stack is not null
        ) as "hasStack"
      from webhook_events e`,
    effects: await tx<Effect[]>`select key, count(*)::int as times, sum(amount)::int as amount from chaos_effects group by key`,
    balances: (await tx<{ total: number }[]>`select coalesce(sum(balance), 0)::int as total from chaos_balances`)[0]?.total ?? 0,
  }));
}

/** Cheap enough to ask while it runs. */
export async function glance(sql: postgres.Sql): Promise<{ readonly effects: number; readonly open: number }> {
  const [row] = await sql<{ effects: number; open: number }[]>`
    select
      (select count(*)::int from chaos_effects) as effects,
      (select count(*)::int from webhook_events where status = 'pending' or after = 'owed') as open`;
  return row ?? { effects: 0, open: 0 };
}
