/** What indexes cost those who write: the consumer's two statements on the same batches, on two ledgers that differ in their indexes alone. */
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { record } from "../../src/store/statements/record.ts";
import { settle } from "../../src/store/statements/settle.ts";

const BATCH = 100;
const ROUNDS = 60;

export interface WriteCost {
  readonly batch: number;
  /** Medians of recording and settling one batch. */
  readonly withMs: number;
  readonly withoutMs: number;
}

/** Batches alternate, so that what else the machine does meets both; an event here takes its two statements and a commit each. */
export async function writeCost(withUrl: string, withoutUrl: string): Promise<WriteCost> {
  const [one, other] = [postgres(withUrl, { max: 1, fetch_types: false }), postgres(withoutUrl, { max: 1, fetch_types: false })];
  const times = { one: [] as number[], other: [] as number[] };
  for (let round = -5; round < ROUNDS; round++) {
    const first = await batchMs(one, round);
    const second = await batchMs(other, round);
    if (round < 0) continue;
    times.one.push(first);
    times.other.push(second);
  }
  await Promise.all([one.end(), other.end()]);
  return { batch: BATCH, withMs: median(times.one), withoutMs: median(times.other) };
}

async function batchMs(client: postgres.Sql, round: number): Promise<number> {
  const db = drizzle(client);
  const text = JSON.stringify({ amount: round, text: "x".repeat(1_000) });
  // workerd's bytes can say themselves in base64, those of Node 24 cannot.
  const bytes = Object.assign(new TextEncoder().encode(text), { toBase64: () => btoa(text) });
  const rows = Array.from({ length: BATCH }, (_, index) => ({
    facts: {
      source: "stripe",
      id: `evt_bench_${round}_${index}_${crypto.randomUUID()}`,
      type: "payment_intent.succeeded",
      receivedAtMs: Date.now(),
      occurredAtMs: null,
      digest: crypto.randomUUID(),
      contentType: "application/json",
      headers: { "user-agent": "bench" },
      bytesLength: bytes.byteLength,
    },
    opening: Date.now(),
    duplicates: 0,
    mismatches: 0,
    bytes,
  }));
  const startMs = performance.now();
  await record(db, rows, "skip");
  const settled = rows.map(({ facts, opening }) => ({ source: facts.source, id: facts.id, opening }));
  await settle(
    db,
    settled.map((key) => ({ ...key, status: "completed", reason: null, after: "none", result: null, suspectedReplayOf: null })),
    "bench",
  );
  return performance.now() - startMs;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
