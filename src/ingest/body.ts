/** Reads a body whole, within bounds of size, time and the isolate's memory, none of which the sender is trusted about. */
import { BODIES_IN_FLIGHT_BYTES, BODY_LIMIT_BYTES, BODY_RESERVE_BYTES } from "../core/limits.ts";
import type { BodyRefusal } from "../core/reasons.ts";
import { failed, ok, type Result } from "../core/result.ts";

export interface BodyLease {
  /** The raw body in a buffer of its own. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Gives the memory back to the budget: when nothing of this request needs the bytes any more. Twice is once. */
  release(): void;
}

/** How many bytes of bodies are held at once. */
export interface BodyBudget {
  hasRoomFor(bytes: number): boolean;
  reserve(bytes: number): boolean;
  release(bytes: number): void;
  readonly heldBytes: number;
}

export function bodyBudget(limitBytes: number): BodyBudget {
  let held = 0;
  const hasRoomFor = (bytes: number): boolean => held + bytes <= limitBytes;
  return {
    hasRoomFor,
    reserve(bytes) {
      if (!hasRoomFor(bytes)) return false;
      held += bytes;
      return true;
    },
    release(bytes) {
      held -= bytes;
    },
    get heldBytes() {
      return held;
    },
  };
}

/** One per isolate, because the memory is: all requests in it share 128 MB. */
export const isolateBodies: BodyBudget = bodyBudget(BODIES_IN_FLIGHT_BYTES);

/**
 * Decides before it reads whether there is room for what is announced, but reserves only what comes: a sender that announces much and sends nothing
 * must not keep others out. On a refusal everything reserved is already given back,
 * and the rest of the body is cancelled, not read.
 */
export async function readBody(
  request: Pick<Request, "body" | "headers">,
  budget: BodyBudget,
  bodyReadMs: number,
): Promise<Result<BodyLease, BodyRefusal>> {
  const declared = declaredLength(request.headers);
  if (declared !== null && declared > BODY_LIMIT_BYTES) return refuse(request.body, "payload_too_large");
  const initial = request.body === null ? 0 : Math.min(declared ?? BODY_RESERVE_BYTES, BODY_RESERVE_BYTES);
  const announced = request.body === null ? 0 : (declared ?? initial);
  if (!budget.hasRoomFor(announced) || !budget.reserve(initial)) return refuse(request.body, "too_busy");

  const held = { bytes: initial };
  const release = () => {
    budget.release(held.bytes);
    held.bytes = 0;
  };
  const grow = (bytes: number): boolean => {
    if (!budget.reserve(bytes)) return false;
    held.bytes += bytes;
    return true;
  };
  const read =
    request.body === null ? ok(new Uint8Array(0)) : await readAll(request.body.getReader(), new Uint8Array(initial), declared, grow, bodyReadMs);
  if (!read.ok) {
    release();
    return read;
  }
  // What was reserved and never came: a chunked body's last doubling, or a content-length that promised too much.
  budget.release(held.bytes - read.value.length);
  held.bytes = read.value.length;
  return ok({ bytes: read.value, release });
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** The buffer grows by doubling, to no more than what was announced if that is honest. */
async function readAll(
  reader: Reader,
  initial: Uint8Array<ArrayBuffer>,
  declared: number | null,
  grow: (bytes: number) => boolean,
  bodyReadMs: number,
): Promise<Result<Uint8Array<ArrayBuffer>, BodyRefusal>> {
  const stop = (refusal: BodyRefusal) => {
    // Not awaited: a sender that does not read our answer must not hold it up. It may reject, as the stream may have failed.
    void reader.cancel().catch(() => undefined);
    return failed(refusal);
  };
  const deadline = startDeadline(bodyReadMs);
  let buffer = initial;
  let length = 0;
  try {
    for (;;) {
      const step = await Promise.race([reader.read(), deadline.passed]);
      if (step === "late") return stop("body_timeout");
      if (step.done) return ok(length === buffer.length ? buffer : buffer.slice(0, length));
      const needed = length + step.value.length;
      if (needed > BODY_LIMIT_BYTES) return stop("payload_too_large");
      if (needed > buffer.length) {
        const doubled = Math.min(2 * buffer.length, declared ?? BODY_LIMIT_BYTES);
        const size = Math.min(BODY_LIMIT_BYTES, Math.max(needed, doubled));
        if (!grow(size - buffer.length)) return stop("too_busy");
        const larger = new Uint8Array(size);
        larger.set(buffer.subarray(0, length));
        buffer = larger;
      }
      buffer.set(step.value, length);
      length = needed;
    }
  } catch {
    // The sender hung up, or the connection broke: nobody reads the answer.
    return stop("body_aborted");
  } finally {
    deadline.stop();
  }
}

/** One for the whole body, not for each chunk: a sender that drips must not hold its memory for ever. */
function startDeadline(ms: number): { readonly passed: Promise<"late">; stop(): void } {
  const { promise: passed, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), ms);
  return { passed, stop: () => clearTimeout(timer) };
}

/** As the sender says; null: it does not say. */
export function declaredLength(headers: Headers): number | null {
  const text = headers.get("content-length");
  return text !== null && /^[0-9]{1,15}$/.test(text) ? Number(text) : null;
}

function refuse(body: ReadableStream | null, refusal: BodyRefusal): { readonly ok: false; readonly failure: BodyRefusal } {
  void body?.cancel().catch(() => undefined);
  return failed(refusal);
}
