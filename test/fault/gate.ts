/** A test's own way to Postgres, with a fault on it. Runs in workerd. */
import { connect } from "cloudflare:sockets";
import { inject, vi } from "vitest";
import { timings } from "../../src/core/timings.ts";
import { type Client, openClient } from "../../src/store/client.ts";
import type { Fault, GateState } from "../support/fault-proxy.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly faultControlUrl: string;
    readonly faultDatabaseUrl: string;
  }
}

/** The database's limits are short enough to watch; the line's are not met unless a test is about them. */
export const quick = { ...timings("real"), statementTimeoutMs: 500, lockTimeoutMs: 400, idleInTransactionMs: 600 };

/** For tests about silence. */
export const impatient = { connectTimeoutMs: 600, silenceMs: 900 };

export interface Gate {
  /** A client whose connection goes through the gate. */
  client(limits?: { readonly connectTimeoutMs: number; readonly silenceMs: number }): Client;
  state(): Promise<GateState>;
  /** Resolves when no client is connected any more. */
  deserted(): Promise<void>;
}

export async function openGate(fault: Fault = { kind: "none" }): Promise<Gate> {
  const control = inject("faultControlUrl");
  const opened = await fetch(control, { method: "POST", body: JSON.stringify(fault) });
  const { port } = await opened.json<{ readonly port: number }>();
  const state = async (): Promise<GateState> => (await fetch(`${control}/${port}`)).json<GateState>();
  return {
    state,
    client: (limits = quick) =>
      openClient({ connectionString: inject("faultDatabaseUrl"), connect: () => connect({ hostname: "127.0.0.1", port }) }, limits),
    deserted: () =>
      vi.waitFor(async () => {
        const { live } = await state();
        if (live > 0) throw new Error(`${live} clients are still connected`);
      }),
  };
}

/** What a promise rejects with; fails the test if it does not. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  const settled = await promise.then(
    (value) => ({ resolved: value }),
    (error: unknown) => ({ error }),
  );
  if ("error" in settled) return settled.error;
  throw new Error(`resolved to ${JSON.stringify(settled.resolved)} instead of rejecting`);
}
