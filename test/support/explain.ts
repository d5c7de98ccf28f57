/** Which way Postgres would go: the plan of each statement that some code executes, in place of its rows. */
import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../src/store/guard.ts";

/** A statement's scans, as `Index Scan webhook_events_id` or `Seq Scan webhook_events`, outermost first. */
export type Scans = readonly string[];

/** Code that needs rows to go on gets none. */
export async function scansOf(tx: Tx, code: (tx: Tx) => Promise<unknown>): Promise<Scans> {
  const scans: string[] = [];
  const explaining = {
    execute: async (statement: SQL) => {
      const rows = await tx.execute<Readonly<Record<string, unknown>>>(sql`explain (format json, costs off) ${statement}`);
      for (const plan of rows.flatMap((row) => planNodes(parsed(row["QUERY PLAN"])))) if (!scans.includes(plan)) scans.push(plan);
      return [];
    },
  };
  await code(explaining as unknown as Tx);
  return scans;
}

/** Drivers give JSON as text or as what it means. */
const parsed = (value: unknown): unknown => (typeof value === "string" ? (JSON.parse(value) as unknown) : value);

function planNodes(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(planNodes);
  if (typeof value !== "object" || value === null) return [];
  const node = value as Readonly<Record<string, unknown>>;
  const type = typeof node["Node Type"] === "string" ? node["Node Type"] : "";
  const on = node["Index Name"] ?? node["Relation Name"];
  // A heap scan of a bitmap has its index below it.
  const own = type.endsWith("Scan") && type !== "Bitmap Heap Scan" && typeof on === "string" ? [`${type} ${on}`] : [];
  return [...own, ...planNodes(node["Plan"]), ...planNodes(node["Plans"])];
}
