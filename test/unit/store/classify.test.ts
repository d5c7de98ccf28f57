/** Whose fault a failure is: DESIGN 3.4, "Failures are classified", row by row. */
import { describe, expect, test } from "vitest";
import { HandlerTimeout, PermanentError, RetryAfterError } from "../../../src/core/errors.ts";
import { timings } from "../../../src/core/timings.ts";
import { classify, type Circumstances, type FailureClass, type Phase } from "../../../src/store/classify.ts";
import { CommitUnknown, ConnectionLost } from "../../../src/store/socket.ts";
import { drizzled, fromPostgres } from "./errors.ts";

const real = timings("real");
const at = (phase: Phase, more: Partial<Circumstances> = {}): Circumstances => ({ phase, openedAgoMs: 0, timings: real, ...more });
const classOf = (error: unknown, phase: Phase, more: Partial<Circumstances> = {}): FailureClass => classify(error, at(phase, more)).class;

const OUTAGES = [
  "08006",
  "08P01",
  "53100",
  "53300",
  "57P01",
  "57P03",
  "57P05",
  "58000",
  "58030",
  "40001",
  "40P01",
  "25006",
  "26000",
  "42P05",
  "28000",
  "28P01",
  "3D000",
  "XX000",
];
const ours: readonly Phase[] = ["connect", "record", "lock", "settle"];

describe("transient", () => {
  test.for(OUTAGES)("%s anywhere", (sqlstate) => {
    for (const phase of [...ours, "handler", "commit", "after"] as const) {
      expect(classOf(fromPostgres(sqlstate), phase)).toBe("transient");
      expect(classOf(drizzled(fromPostgres(sqlstate)), phase)).toBe("transient");
    }
  });

  test("a cached plan, of all 0A000", () => {
    expect(classOf(fromPostgres("0A000", "cached plan must not change result type"), "handler")).toBe("transient");
    expect(classOf(fromPostgres("0A000", "cannot do that"), "handler")).toBe("unknown");
  });

  test("every error in our own statements", () => {
    for (const phase of ours) {
      for (const error of [fromPostgres("42703"), fromPostgres("23505"), fromPostgres("57014"), new TypeError("a bug"), "text", undefined]) {
        expect(classOf(error, phase)).toBe("transient");
      }
    }
  });

  test("a refused or lost connection, with or without what wraps it", () => {
    for (const lost of [
      new ConnectionLost("gone"),
      Object.assign(new Error("closed"), { code: "CONNECTION_CLOSED" }),
      new CommitUnknown(new ConnectionLost("gone", "57P01")),
    ]) {
      for (const phase of ["connect", "lock", "handler", "commit"] as const) expect(classOf(drizzled(lost), phase)).toBe("transient");
    }
  });

  test("Hyperdrive's pool, with and without a SQLSTATE", () => {
    expect(classOf(new Error("Failed to acquire a connection from the pool."), "handler")).toBe("transient");
    expect(classOf(fromPostgres("58000", "Failed to acquire a connection from the pool."), "handler")).toBe("transient");
  });

  test("an outage that a handler made a PermanentError of", () => {
    expect(classOf(new PermanentError("no such order", { cause: drizzled(new ConnectionLost("gone")) }), "handler")).toBe("transient");
    expect(classOf(new RetryAfterError("later", 5, { cause: fromPostgres("40P01") }), "handler")).toBe("transient");
  });

  test("an outage among the errors of an AggregateError", () => {
    expect(classOf(new AggregateError([new Error("own"), drizzled(fromPostgres("53300"))]), "handler")).toBe("transient");
  });

  test.for(["57014", "55P03"])("a handler's own %s for 24 h after the opening, then counted", (sqlstate) => {
    const error = drizzled(fromPostgres(sqlstate));
    expect(classOf(error, "handler", { openedAgoMs: real.handlerContentionMs - 1 })).toBe("transient");
    expect(classOf(error, "handler", { openedAgoMs: real.handlerContentionMs })).toBe("unknown");
    expect(classOf(error, "lock", { openedAgoMs: real.handlerContentionMs })).toBe("transient");
  });
});

describe("permanent", () => {
  test("PermanentError, wrapped, subclassed, or from another copy of the class", () => {
    class Subclass extends PermanentError {
      override readonly name = "NoSuchOrder";
    }
    const copy = Object.assign(new Error("no"), { name: "PermanentError" });
    for (const error of [new PermanentError("no"), new Subclass("no"), copy, new Error("outer", { cause: new PermanentError("no") })]) {
      expect(classOf(error, "handler")).toBe("permanent");
    }
    expect(classOf(new PermanentError("no", { cause: fromPostgres("23505") }), "handler")).toBe("permanent");
  });

  test.for(["22012", "22P02", "23502"])("a handler's %s", (sqlstate) => {
    expect(classOf(drizzled(fromPostgres(sqlstate)), "handler")).toBe("permanent");
  });

  test.for(["22021", "22P05", "23502", "54000"])("a record statement that fails on data: %s", (sqlstate) => {
    expect(classOf(fromPostgres(sqlstate), "record")).toBe("permanent");
    expect(classOf(fromPostgres(sqlstate), "lock")).toBe("transient");
  });
});

describe("unknown: counted", () => {
  test.for(["23503", "23505", "23514", "42P01", "54000", "P0001", "25P02", "40003"])("a handler's %s", (sqlstate) => {
    expect(classOf(drizzled(fromPostgres(sqlstate)), "handler")).toBe("unknown");
  });

  test("whatever else a handler throws", () => {
    const throwing = new Proxy(new Error("trap"), {
      get() {
        throw new Error("no");
      },
    });
    for (const error of [new TypeError("x is undefined"), "text", 7, null, undefined, Symbol("s"), {}, throwing, () => {}]) {
      expect(classOf(error, "handler")).toBe("unknown");
    }
  });

  test("RetryAfterError, with what it asked for", () => {
    expect(classify(new RetryAfterError("not yet", 45), at("handler"))).toMatchObject({ class: "unknown", retryAfterSeconds: 45 });
    expect(classify(new Error("x"), at("handler"))).not.toHaveProperty("retryAfterSeconds");
    const forged = Object.assign(new Error("x"), { name: "RetryAfterError", afterSeconds: Number.NaN });
    expect(classify(forged, at("handler"))).not.toHaveProperty("retryAfterSeconds");
  });

  test("a deferred constraint that refuses the commit: the handler's, and not for ever", () => {
    for (const sqlstate of ["23503", "23505", "P0001"]) expect(classOf(fromPostgres(sqlstate), "commit")).toBe("unknown");
    expect(classOf(fromPostgres("22012"), "commit")).toBe("permanent");
    expect(classOf(new Error("a bug"), "commit")).toBe("transient");
    expect(classOf(new PermanentError("swallowed until now"), "commit")).toBe("permanent");
  });

  test("a result that the ledger cannot store", () => {
    for (const sqlstate of ["22P05", "54000"]) expect(classOf(fromPostgres(sqlstate), "settle")).toBe("unknown");
    expect(classOf(fromPostgres("23502"), "settle")).toBe("transient");
  });
});

describe("handler_timeout", () => {
  test("past the deadline, and 25P03", () => {
    expect(classOf(new HandlerTimeout(20_000), "handler")).toBe("handler_timeout");
    expect(classOf(fromPostgres("25P03"), "handler")).toBe("handler_timeout");
    expect(classOf(new ConnectionLost("closed by the server", "25P03"), "handler")).toBe("handler_timeout");
    expect(classOf(fromPostgres("25P03"), "settle")).toBe("transient");
  });

  test("a connection lost after the deadline, but not before", () => {
    const lost = drizzled(new ConnectionLost("gone"));
    expect(classOf(lost, "handler", { handlerElapsedMs: real.handlerMs })).toBe("handler_timeout");
    expect(classOf(lost, "handler", { handlerElapsedMs: real.handlerMs - 1 })).toBe("transient");
    expect(classOf(lost, "commit", { handlerElapsedMs: real.handlerMs })).toBe("transient");
  });
});

describe("what is found in the chain", () => {
  test("the SQLSTATE and the constraint, through causes and cycles", () => {
    const inner = fromPostgres("23505", "duplicate key", { constraint_name: "orders_pkey" });
    const outer = new Error("outer", { cause: drizzled(inner) });
    Reflect.set(inner, "cause", outer);
    expect(classify(outer, at("handler"))).toMatchObject({ class: "unknown", sqlstate: "23505", constraint: "orders_pkey" });
  });

  test("an SQLSTATE that the server gave for a loss", () => {
    expect(classify(new ConnectionLost("gone", "57P01"), at("handler"))).toMatchObject({ class: "transient", sqlstate: "57P01", constraint: null });
  });

  test("a code that is nobody's SQLSTATE", () => {
    for (const code of ["EPIPE", "E1234", "UNDEFINED_VALUE"]) {
      expect(classify(Object.assign(new Error("x"), { code }), at("handler"))).toMatchObject({ class: "unknown", sqlstate: null });
    }
  });
});
