/**
 * Known-wrong variants of this receiver: each is a mistake that somebody has shipped, as a small change to a copy of the source, with the tests that
 * must see it. `npm run test:planted` applies them one by one and fails if one survives.
 */

export interface Defect {
  readonly name: string;
  /** What breaks for the people who use it. */
  readonly harm: string;
  readonly edits: readonly Edit[];
  /** The vitest project and the files of it that are run. At least one test of them must fail. */
  readonly project: "unit" | "worker" | "integration" | "fault";
  readonly tests: readonly string[];
}

export interface Edit {
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace });
const integration = (...names: string[]) => ({ project: "integration" as const, tests: names.map((name) => `test/integration/${name}.test.ts`) });
const worker = (...names: string[]) => ({ project: "worker" as const, tests: names.map((name) => `test/worker/${name}.test.ts`) });
const unit = (...names: string[]) => ({ project: "unit" as const, tests: names.map((name) => `test/unit/${name}.test.ts`) });
const fault = (...names: string[]) => ({ project: "fault" as const, tests: names.map((name) => `test/fault/${name}.test.ts`) });

export const DEFECTS: readonly Defect[] = [
  {
    name: "no claim",
    harm: "every copy of an event is queued as if it were the first",
    edits: [edit("src/core/claim.ts", 'if (claim === null || claim.status === "failed" ||', "if (claim === null || claim !== undefined ||")],
    ...worker("claim-delivery"),
  },
  {
    name: "check, then insert",
    harm: "two copies at the same instant both find nothing and both are first",
    edits: [
      edit(
        "src/claim/event-claim.ts",
        "const { next, effects, reply } = step(this.#claim, input, Date.now(), this.#config.timings);",
        "const before = this.#claim;\n    await scheduler.wait(5);\n    const { next, effects, reply } = step(before, input, Date.now(), this.#config.timings);",
      ),
    ],
    ...worker("claim-delivery"),
  },
  {
    name: "marked done before the effect",
    harm: "an event whose handler fails is taken for completed",
    edits: [
      edit("src/store/statements/record.ts", "select i.source, i.event_id, i.type, 'pending'", "select i.source, i.event_id, i.type, 'completed'"),
    ],
    ...integration("batch"),
  },
  {
    name: "acknowledged before it is durable",
    harm: "a 2xx for an event that is nowhere",
    edits: [edit("src/ingest/route.ts", "return direct.isStored ? finish(", "return true ? finish(")],
    ...integration("outages"),
  },
  {
    name: "the claim answers before its bytes are on disk",
    harm: "an object that is reset forgets what was acknowledged",
    edits: [edit("src/claim/event-claim.ts", "this.ctx.storage.transactionSync(() => this.#storage.write(next, change));", "void change;")],
    ...worker("claim-delivery"),
  },
  {
    name: "identified before it is verified",
    harm: "a forger learns how bodies are read, and is answered 400 instead of 401",
    edits: [
      edit(
        "src/ingest/route.ts",
        'const verified = await timed(ms, "verify"',
        'const early = await identify(provider, delivery);\n    if (!early.ok) return refuse(early.failure);\n    const verified = await timed(ms, "verify"',
      ),
    ],
    ...integration("http-contract"),
  },
  {
    name: "a stale timestamp is accepted",
    harm: "a request captured last month is taken today",
    edits: [
      edit(
        "src/schemes/refusal.ts",
        "if (sentAtMs !== null) return outsideWindow(sentAtMs, nowMs, toleranceMs);",
        "if (sentAtMs !== null) return null;",
      ),
    ],
    ...unit("providers/contract"),
  },
  {
    name: "a prefix of the signature is enough",
    harm: "a signature can be guessed byte by byte",
    edits: [
      edit(
        "src/schemes/hmac.ts",
        '? crypto.subtle.verify("HMAC", key, only, message)',
        '? crypto.subtle.sign("HMAC", key, message).then((mac) => new Uint8Array(mac).subarray(0, 8).every((byte, index) => byte === only[index]))',
      ),
    ],
    ...unit("providers/contract"),
  },
  {
    name: "without a secret everything is let through",
    harm: "a forgotten variable opens the door to everybody",
    edits: [
      edit(
        "src/ingest/route.ts",
        "if (missing !== undefined && !handsOver(provider)) return notConfigured(missing.hint);",
        "const isOpen = missing !== undefined;",
      ),
      edit("src/ingest/route.ts", "if (missing !== undefined) return notConfigured(missing.hint);", ""),
      edit("src/ingest/route.ts", "if (!verified.ok) {", "if (!verified.ok && !isOpen) {"),
      edit(
        "src/ingest/route.ts",
        "secret: verified.value.matched,\n      ...retryHeaders",
        'secret: verified.ok ? verified.value.matched : "current",\n      ...retryHeaders',
      ),
      edit("src/ingest/route.ts", "{ secret: verified.value.matched, bytes: bytes.byteLength }", "{ bytes: bytes.byteLength }"),
    ],
    ...integration("http-contract"),
  },
  {
    name: "deduplicated by the body's digest",
    harm: "the same event with another byte is done twice, and two events with the same bytes once",
    edits: [
      edit(
        "src/ingest/route.ts",
        "const { id, type, occurredAtMs, idDisagrees } = identity.value;",
        "const { type, occurredAtMs, idDisagrees } = identity.value;\n    const id = await sha256Hex(bytes);",
      ),
    ],
    ...integration("http-contract"),
  },
  {
    name: "the effect outside the transaction",
    harm: "an effect stays though its event failed, and is done again",
    edits: [
      edit("src/store/transaction.ts", "return work({ sql: scoped, db,", "await db.execute(sql`commit`);\n    return work({ sql: scoped, db,"),
      edit("src/store/guard.ts", "if (CONTROL.test(statement)) return", 'if (CONTROL.test(statement) && statement !== "commit") return'),
    ],
    ...integration("batch", "failures"),
  },
  {
    name: "the row is not locked",
    harm: "two consumers run one event side by side",
    edits: [edit("src/store/statements/lock.ts", 'for update of e ${rowsHeldElsewhere === "skip" ? sql`skip locked` : sql``}', "")],
    ...integration("batch"),
  },
  {
    name: "settled without looking again",
    harm: "an outcome is written over another one's",
    edits: [
      edit(
        "src/store/statements/settle.ts",
        "and e.status not in ('completed', 'skipped', 'failed')\n      and e.opening = s.opening",
        "and e.source is not null",
      ),
    ],
    ...integration("guards"),
  },
  {
    name: "a dead letter without its bytes",
    harm: "nobody can run it again",
    edits: [
      edit(
        "src/store/statements/fail.ts",
        "last_error = ${failure.message}::text,",
        "last_error = ${failure.message}::text,\n        body = case when ${failure.dead}::boolean then null else e.body end,",
      ),
    ],
    ...integration("failures"),
  },
  {
    name: "the claim's alarm is dropped",
    harm: "an event whose message was refused waits for ever",
    edits: [edit("src/claim/event-claim.ts", "return this.ctx.storage.setAlarm(effect.atMs);", "return undefined;")],
    ...worker("claim-relay"),
  },
  {
    name: "the alarm acts before it arms the next one",
    harm: "an object that dies while it sends never wakes up again",
    edits: [
      edit(
        "src/core/claim-relay.ts",
        'return { next: claim, effects: [{ kind: "arm", atMs: nowMs + timings.leaseMs }, send(claim)], reply: NOTED };',
        "return { next: claim, effects: [send(claim)], reply: NOTED };",
      ),
      // The safety net under it, or this would not be that mistake.
      edit(
        "src/claim/event-claim.ts",
        'if (!effects.some((effect) => effect.kind === "arm" || effect.kind === "forget")) this.ctx.waitUntil(this.#rearm());',
        "",
      ),
    ],
    ...worker("claim-relay"),
  },
  {
    name: "failed is written over completed",
    harm: "an event that had its effect is opened again and has it twice",
    edits: [
      edit(
        "src/store/statements/fail.ts",
        "and e.status = 'pending'\n        and e.opening = ${failure.opening}::bigint",
        "and e.source is not null",
      ),
    ],
    ...integration("guards"),
  },
  {
    name: "the claim lets failed stand over completed",
    harm: "a redelivery of a completed event opens it again",
    edits: [
      edit(
        "src/core/claim.ts",
        'if (claim.status === "completed" && opening === claim.opening) return nothing(claim);',
        "if (opening < claim.opening) return nothing(claim);",
      ),
    ],
    ...unit("core/claim", "core/claim-properties"),
  },
  {
    name: "a stale message opens a dead letter",
    harm: "a poisoned event goes round for ever",
    edits: [
      edit(
        "src/store/statements/record.ts",
        "const REOPENS = sql`(h.status = 'failed' and h.opening < i.opening)`;",
        "const REOPENS = sql`(h.status = 'failed' and h.opening <= i.opening)`;",
      ),
    ],
    ...integration("failures"),
  },
  {
    name: "used-up message retries are taken for a bad event",
    harm: "an outage buries healthy events",
    edits: [
      edit(
        "src/queue/dead-letter.ts",
        'work.owesAfter = row?.after === "owed";',
        'work.owesAfter = row?.after === "owed";\n    work.settled ??= { status: "failed", opening: work.message.opening, stored: true };',
      ),
    ],
    ...integration("dead-letter-queue"),
  },
  {
    name: "a late query of a handler is let through",
    harm: "a handler that overstays writes into somebody else's transaction",
    edits: [edit("src/store/guard.ts", "if (scope.isOver()) return new TransactionOver(statement);", "")],
    ...fault("handler"),
  },
  {
    name: "a query that nobody awaits is let through",
    harm: "half of an effect commits",
    edits: [edit("src/store/scope.ts", "if (this.#pending > 0) return this.#fails(new QueriesNotAwaited(this.#pending));", "")],
    ...fault("handler"),
  },
  {
    name: "forgetting behind an await",
    harm: "a delivery that arrives while an old claim is forgotten is forgotten with it",
    edits: [
      edit("src/claim/event-claim.ts", "return this.ctx.storage.deleteAll();", "return scheduler.wait(20).then(() => this.ctx.storage.deleteAll());"),
    ],
    ...worker("claim-settle"),
  },
  {
    name: "a replay runs what was done",
    harm: "an operator's replay repeats a completed effect",
    edits: [edit("src/store/statements/replay.ts", "e.after = 'failed' or (${force}::boolean and", "e.after = 'failed' or (true and")],
    ...integration("replay"),
  },
  {
    name: "one failure gives the whole batch back",
    harm: "healthy events wait and are tried again for a poisoned one",
    edits: [
      edit(
        "src/queue/together.ts",
        "return [piece.slice(0, at), [culprit], piece.slice(at + 1)];",
        'void at;\n    for (const work of piece) work.again = { kind: "outage", reason: "the batch failed" };\n    return [];',
      ),
    ],
    ...integration("batch"),
  },
  {
    name: "starts are not committed before a suspect runs",
    harm: "an event that ends the isolate does so for ever",
    edits: [edit("src/store/statements/start.ts", "set starts = e.starts + 1,", "set starts = e.starts,")],
    ...integration("runaways"),
  },
  {
    name: "an outage burns attempts",
    harm: "Postgres away for an hour dead-letters everything",
    edits: [
      edit(
        "src/store/classify.ts",
        'return (at.handlerElapsedMs ?? 0) >= at.timings.handlerMs ? "handler_timeout" : "transient";',
        'return "unknown";',
      ),
    ],
    ...integration("wire-cuts"),
  },
  {
    name: "what went around the claim is not adopted",
    harm: "a queue that loses the message loses the event",
    edits: [
      edit(
        "src/queue/conclude.ts",
        "if (work.again !== null && work.settled === null && work.message.direct) await adopt(work, consumer);",
        "void adopt;",
      ),
    ],
    ...integration("outages"),
  },
  {
    name: "the after is forgotten when its SQL has committed",
    harm: "the outside world never hears of it",
    edits: [edit("src/core/settlement.ts", 'if (row.status !== "pending" && row.after !== "owed") return', 'if (row.status !== "pending") return')],
    ...integration("after"),
  },
  {
    name: "the next secret is not tried",
    harm: "rotating a secret refuses genuine deliveries",
    edits: [
      edit(
        "src/schemes/algorithm.ts",
        "const next = secrets.next === null ? null : algorithm.keyOf(scheme, secrets.next, view);",
        "const next = null;",
      ),
    ],
    ...integration("http-contract"),
  },
  {
    name: "keys are joined without care",
    harm: "two events of compound ids become one",
    edits: [
      edit("src/providers/identify.ts", 'parts.map((part) => part.replaceAll("%", "%25").replaceAll(":", "%3A")).join(":")', 'parts.join(":")'),
    ],
    ...unit("ingest/identify"),
  },
];
