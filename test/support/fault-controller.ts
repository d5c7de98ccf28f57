/** Decides what the Worker under test meets at its fault points. On loopback, outside the runtime: it outlives what it kills. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { FaultPoint } from "../../src/fault-points.ts";

export type FaultAction = "throw" | "hang" | "kill";

export interface FaultPlan {
  readonly point: FaultPoint;
  /** What happens the first time that somebody comes by, once. */
  readonly action: FaultAction;
  /** What must fail first, so that somebody comes by. */
  readonly ways: readonly { readonly point: FaultPoint; readonly action: "throw" | "kill"; readonly times: number }[];
  /** Until the fault has fired, batches are taken for ones of the dead-letter queue; `newer`: of a version that nobody reads. */
  readonly queue: "events-dlq" | "newer" | null;
}

export class FaultController {
  readonly #kill: () => void;
  readonly #held = new Set<ServerResponse>();
  readonly #server = createServer((request, response) => {
    response.on("close", () => this.#held.delete(response));
    request.resume().on("end", () => this.#decide((request.url ?? "/").slice(1), response));
  });
  readonly #left = new Map<FaultPoint, number>();
  readonly effects = new Map<string, number>();
  #plan: FaultPlan | null = null;
  #fired = 0;
  #kills = 0;

  constructor(kill: () => void) {
    this.#kill = kill;
  }

  async start(): Promise<string> {
    this.#server.unref();
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  arm(plan: FaultPlan): void {
    this.clear();
    this.#plan = plan;
    this.#fired = 0;
    this.#kills = 0;
    for (const { point, times } of plan.ways) this.#left.set(point, times);
  }

  /** From now on nothing fails. What hangs is told that it failed, if it still lives. */
  clear(): void {
    this.#plan = null;
    this.#left.clear();
    for (const response of this.#held) response.destroy();
  }

  /** How often the fault happened. */
  get fired(): number {
    return this.#fired;
  }

  /** How often the runtime was killed, on the way there included. */
  get kills(): number {
    return this.#kills;
  }

  #decide(what: string, response: ServerResponse): void {
    const plan = this.#plan;
    if (what.startsWith("effect/")) {
      this.effects.set(what.slice(7), (this.effects.get(what.slice(7)) ?? 0) + 1);
      response.end("go");
    } else if (what === "queue") {
      const asked = this.#fired > 0 ? null : (plan?.queue ?? null);
      response.end(asked ?? "go");
    } else this.#act(this.#actionAt(what, plan), response);
  }

  #actionAt(point: string, plan: FaultPlan | null): FaultAction | "go" {
    const way = plan?.ways.find((one) => one.point === point);
    const left = way === undefined ? 0 : (this.#left.get(way.point) ?? 0);
    if (way !== undefined && left > 0) {
      this.#left.set(way.point, left - 1);
      return way.action;
    }
    if (plan?.point !== point || this.#fired > 0) return "go";
    this.#fired++;
    return plan.action;
  }

  #act(action: FaultAction | "go", response: ServerResponse): void {
    switch (action) {
      case "go":
      case "throw":
        response.end(action);
        return;
      case "hang":
        this.#held.add(response);
        return;
      case "kill":
        this.#kills++;
        this.#kill();
        response.destroy();
    }
  }
}
