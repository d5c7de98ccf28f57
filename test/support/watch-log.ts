/**
 * A setup file of every project: each line that the code under test logs is searched for secrets, signatures and payload canaries; a hit fails the test.
 * What is secret is not listed by hand: it is every key that goes into Web Crypto, every signature that goes in or comes out, and the bindings.
 */
import { afterAll, afterEach } from "vitest";
import { Leaks, note, take } from "./leaks.ts";

const leaks = new Leaks();

/** In front of the real one and of whatever a test puts in its place, so that a mocked line is read too. */
globalThis.console = new Proxy(globalThis.console, {
  get(target, name, receiver) {
    const method: unknown = Reflect.get(target, name, receiver);
    if (typeof method !== "function" || typeof name !== "string" || !["log", "info", "debug", "warn", "error"].includes(name)) return method;
    return (...parts: unknown[]): unknown => {
      const line = parts.map(String).join(" ");
      const leak = leaks.in(line);
      if (leak !== null) note(`${leak} in the log line: ${line.slice(0, 2_000)}`);
      return Reflect.apply(method, target, parts);
    };
  },
});

const bytesOf = (data: ArrayBuffer | ArrayBufferView): Uint8Array =>
  data instanceof ArrayBuffer ? new Uint8Array(data) : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

const subtle: SubtleCrypto = crypto.subtle;
const sign = subtle.sign.bind(subtle);
const verify = subtle.verify.bind(subtle);
const importKey = subtle.importKey.bind(subtle);
Object.assign(Object.getPrototypeOf(subtle) as object, {
  async sign(...given: Parameters<typeof sign>) {
    const signature = await sign(...given);
    leaks.addSignature(new Uint8Array(signature));
    return signature;
  },
  verify(...given: Parameters<typeof verify>) {
    leaks.addSignature(bytesOf(given[2]));
    return verify(...given);
  },
  importKey(...given: Parameters<typeof importKey>) {
    const [format, data] = given;
    if ((format === "raw" || format === "pkcs8") && (data instanceof ArrayBuffer || ArrayBuffer.isView(data))) leaks.addKey(bytesOf(data));
    return importKey(...given);
  },
});

// Not in Node, where there are no bindings.
const bindings = (await import("cloudflare:workers").catch(() => null))?.env;
if (bindings !== undefined) leaks.addVariables(bindings as unknown as Readonly<Record<string, unknown>>);

function judge(): void {
  const all = take();
  if (all.length > 0) throw new Error(`${all.length} log line(s) give something away (test/support/leaks.ts):\n${all.slice(0, 5).join("\n")}`);
}

afterEach(judge);
// What was logged between tests, or after the last.
afterAll(judge);
