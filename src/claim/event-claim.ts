/**
 * The event's Durable Object, named by source and event id: loads, steps, saves, performs. Holds no decision (core/claim.ts has them)
 * and no Postgres connection. Its methods return results and never reject; each await is a door, so `#claim` is read again after it.
 */
import { DurableObject } from "cloudflare:workers";
import { type Config, configOf } from "../config.ts";
import { type Claim, type ClaimEffect, type ClaimInput, type ClaimReply, step } from "../core/claim.ts";
import { type EventFacts, isEventFacts } from "../core/event.ts";
import { encodeMessage, type EventMessage } from "../core/message.ts";
import type { ClaimView } from "../core/operators.ts";
import { within } from "../deadline.ts";
import { faultPoint } from "../fault-points.ts";
import { errorText, log } from "../log.ts";
import { type BytesChange, ClaimStorage } from "./storage.ts";

/**
 * RPC is versioned forward and backward: arguments and answers are records whose new fields are optional. One flat record an answer, since a
 * stub's types do not carry unions. `error`: this object failed, which never means that nothing was done.
 */
export interface DeliverAnswer {
  readonly error: string | null;
  readonly kind: "queued" | "requeued" | "pending" | "done" | null;
  /** The first delivery's digest, where this one has other bytes. */
  readonly otherDigest: string | null;
}
export interface ToldAnswer {
  readonly error: string | null;
}
export interface LoadAnswer {
  readonly error: string | null;
  /** null without error: this claim has none. */
  readonly body: { readonly digest: string; readonly bytes: Uint8Array } | null;
}

export interface InspectAnswer {
  readonly error: string | null;
  readonly view: ClaimView | null;
}

/** Never "now": an alarm set to the present can stall (PLATFORM 1). */
const REARM_MS = 1_000;
/** A claim, or its end, made of what nobody understands would be the end of the event: better unreachable (the caller goes around it). */
const OTHER_VERSION = "arguments of another version";
const STUCK_HINT = "the queue keeps refusing this event's message; its bytes are safe in the claim and sending goes on";

type Trigger = "delivery" | "alarm";

export class EventClaim extends DurableObject<Env> {
  readonly #storage: ClaimStorage;
  readonly #config: Config;
  /** What the storage says, and what only memory knows: counts, and whether the queue took the message. */
  #claim: Claim | null;
  #relaying = false;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#storage = new ClaimStorage(state.storage.kv);
    this.#config = configOf(env);
    this.#claim = this.#storage.read();
  }

  /** A verified delivery. Its answer leaves only once the claim is durable (output gate). */
  async deliver(delivery: { readonly facts: EventFacts; readonly bytes: Uint8Array }): Promise<DeliverAnswer> {
    return this.#guard<DeliverAnswer>("deliver", { kind: null, otherDigest: null }, async () => {
      if (FAULTS) await faultPoint("claim.delivering");
      if (!isEventFacts(delivery.facts) || !(delivery.bytes instanceof Uint8Array)) throw new TypeError(OTHER_VERSION);
      const { restoredAtMs } = this.#config;
      const reply = await this.#step({ kind: "deliver", facts: delivery.facts, restoredAtMs }, delivery.bytes, "delivery");
      if (FAULTS) await faultPoint("claim.delivered");
      if (reply.kind === "noted") return { error: "no reply to a delivery", kind: null, otherDigest: null };
      return { error: null, kind: reply.kind, otherDigest: "otherDigest" in reply ? reply.otherDigest : null };
    });
  }

  /** A message that went around the claim, before it is given back. */
  async adopt(event: { readonly facts: EventFacts; readonly opening: number; readonly bytes: Uint8Array | null }): Promise<ToldAnswer> {
    return this.#guard<ToldAnswer>("adopt", {}, async () => {
      const { facts, opening, bytes } = event;
      if (!isEventFacts(facts) || !Number.isFinite(opening) || !(bytes === null || bytes instanceof Uint8Array)) throw new TypeError(OTHER_VERSION);
      await this.#step({ kind: "adopt", facts, opening, hasBytes: bytes !== null }, bytes, "delivery");
      if (FAULTS) await faultPoint("claim.adopted");
      return { error: null };
    });
  }

  /** What the ledger says of the event: `stored`: a failed row has its bytes. */
  async settle(row: { readonly status: "completed" | "failed"; readonly opening: number; readonly stored: boolean }): Promise<ToldAnswer> {
    return this.#guard<ToldAnswer>("settle", {}, async () => {
      await this.#step(toldInput(row), null, "delivery");
      if (FAULTS) await faultPoint("claim.settled");
      return { error: null };
    });
  }

  /** An operator has erased the row's payload: this copy goes too. */
  async erase(row: { readonly opening: number }): Promise<ToldAnswer> {
    return this.#guard<ToldAnswer>("erase", {}, async () => {
      if (!Number.isFinite(row.opening)) throw new TypeError(OTHER_VERSION);
      await this.#step({ kind: "erased", opening: row.opening }, null, "delivery");
      return { error: null };
    });
  }

  /** The kept bytes, for a message without. */
  async load(): Promise<LoadAnswer> {
    return this.#guard<LoadAnswer>("load", { body: null }, async () => {
      if (FAULTS) await faultPoint("claim.loading");
      this.ctx.waitUntil(this.#rearm());
      const bytes = this.#storage.bytes();
      const digest = this.#claim?.facts?.digest;
      return { error: null, body: bytes === null || digest === undefined ? null : { digest, bytes } };
    });
  }

  /** How the claim stands, for an operator's eyes: nothing is written, and no alarm touched. */
  async inspect(): Promise<InspectAnswer> {
    return this.#guard<InspectAnswer>("inspect", { view: null }, async () => ({ error: null, view: viewOf(this.#claim) }));
  }

  override async alarm(): Promise<void> {
    try {
      if (FAULTS) await faultPoint("claim.alarm");
      await this.#step({ kind: "alarm" }, null, "alarm");
      if (FAULTS) await faultPoint("claim.alarmed");
    } catch (error) {
      // A handler that throws is retried six times and then dropped by the platform: never let it come to that.
      log("error", "alarm_failed", { ...this.#name(), error: errorText(error) });
      await this.ctx.storage.setAlarm(Date.now() + this.#config.timings.brokenAlarmMs);
    }
  }

  async #guard<Answer extends { readonly error: string | null }>(
    method: string,
    nothing: Omit<Answer, "error">,
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      log("error", "claim_failed", { ...this.#name(), phase: method, error: errorText(error) });
      return { ...nothing, error: errorText(error) } as Answer;
    }
  }

  /** One input, one step: state saved and alarm armed before anything is sent. */
  async #step(input: ClaimInput, bytes: Uint8Array | null, trigger: Trigger): Promise<ClaimReply> {
    const { next, effects, reply } = step(this.#claim, input, Date.now(), this.#config.timings);
    // The writes of a step stand in one turn, with no await between them: forgetting above all.
    const writes = effects.map((effect) => this.#write(effect, next, bytes));
    this.#claim = next;
    for (const effect of effects) {
      if (effect.kind === "send") this.#relay(effect.bare, trigger);
      if (effect.kind === "report_stuck") log("error", "relay_stuck", { ...this.#name(), refusals: effect.refusals, hint: STUCK_HINT });
    }
    if (!effects.some((effect) => effect.kind === "arm" || effect.kind === "forget")) this.ctx.waitUntil(this.#rearm());
    await Promise.all(writes.filter((write) => write !== undefined));
    return reply;
  }

  #write(effect: ClaimEffect, next: Claim | null, bytes: Uint8Array | null): Promise<void> | undefined {
    switch (effect.kind) {
      case "save":
        if (next !== null) {
          const change: BytesChange =
            effect.bytes === "put" && bytes !== null ? { kind: "put", bytes } : { kind: effect.bytes === "drop" ? "drop" : "keep" };
          // All or nothing: a refused record must not leave chunks behind in an object that no alarm would empty.
          this.ctx.storage.transactionSync(() => this.#storage.write(next, change));
        }
        return undefined;
      case "arm":
        return this.ctx.storage.setAlarm(effect.atMs);
      case "forget":
        return this.ctx.storage.deleteAll();
      case "send":
      case "report_stuck":
        return undefined;
    }
  }

  /** Hands the event to the queue, with the provider already answered. One at a time: what it finds on its return is a step of its own. */
  #relay(bare: boolean, trigger: Trigger): void {
    const claim = this.#claim;
    if (this.#relaying || claim?.facts === null || claim?.facts === undefined) return;
    const { facts, opening, duplicates, mismatches } = claim;
    const message = encodeMessage({ facts, opening, direct: false, duplicates, mismatches, bytes: bare ? null : this.#storage.bytes() });
    // Only now: were it set before something that throws, this object would never send again.
    this.#relaying = true;
    this.ctx.waitUntil(
      this.#send(message)
        .then((refusal) => {
          this.#relaying = false;
          if (refusal !== null) log("warn", "relay", { ...this.#name(), trigger, outcome: "refused", opening, error: refusal });
          else if (trigger === "alarm") log("info", "relay", { ...this.#name(), trigger, outcome: "sent", opening });
          return this.#step({ kind: refusal === null ? "sent" : "refused", opening }, null, trigger);
        })
        .catch((error: unknown) => log("error", "claim_failed", { ...this.#name(), phase: "relay", error: errorText(error) })),
    );
  }

  /** Why it was refused; null: the queue has it. */
  async #send(message: EventMessage): Promise<string | null> {
    try {
      // Before the queue hears of it, the claim must be on disk: a send was not always held back by the output gate (PLATFORM 0.3).
      await this.ctx.storage.sync();
      if (FAULTS) await faultPoint("claim.synced");
      await within(this.#config.timings.relaySendMs, "queue.send", this.env.EVENTS.send(message, { contentType: "v8" }));
      if (FAULTS) await faultPoint("claim.sent");
      return null;
    } catch (error) {
      return errorText(error);
    }
  }

  /** An alarm that the platform lost, or never fired: whoever calls puts it right. */
  async #rearm(): Promise<void> {
    const armedForMs = await this.ctx.storage.getAlarm();
    const nowMs = Date.now();
    const lost = armedForMs === null || armedForMs < nowMs - this.#config.timings.alarmOverdueMs;
    if (lost && this.#claim !== null) await this.ctx.storage.setAlarm(nowMs + REARM_MS);
  }

  #name(): { readonly source: string; readonly eventId: string } {
    const name = this.ctx.id.name ?? "";
    const colon = name.indexOf(":");
    return { source: name.slice(0, colon), eventId: name.slice(colon + 1) };
  }
}

function viewOf(claim: Claim | null): ClaimView {
  return {
    status: claim?.status ?? "unclaimed",
    sinceMs: claim?.sinceMs ?? null,
    opening: claim?.opening ?? null,
    hasBytes: claim?.hasBytes ?? false,
    refusals: claim?.refusals ?? 0,
    watchdogs: claim?.watchdogs ?? 0,
    duplicates: claim?.duplicates ?? 0,
    mismatches: claim?.mismatches ?? 0,
  };
}

function toldInput({ status, opening, stored }: { readonly status: unknown; readonly opening: number; readonly stored: boolean }): ClaimInput {
  if (status === "completed") return { kind: "completed", opening: Number.isFinite(opening) ? opening : 0 };
  if (status !== "failed" || !Number.isFinite(opening) || typeof stored !== "boolean") throw new TypeError(OTHER_VERSION);
  return { kind: "failed", opening, stored };
}
