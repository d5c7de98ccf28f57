/** Pure. What is kept of an error as text: bounded, clean, with the statement and without its parameters, which are payload. */
import { chainOf, textOf } from "./error-chain.ts";
import { ERROR_MESSAGE_LIMIT_BYTES, STACK_LIMIT_BYTES } from "../core/limits.ts";

/** The innermost database error's words, else the error's own; then the statement. Neither details ("Key (x)=(y) exists") nor parameters. */
export function failureMessage(error: unknown): string {
  const chain = chainOf(error);
  const database = chain.findLast((link) => textOf(link, "name") === "PostgresError");
  const statement = chain.map((link) => textOf(link, "query")).find((text) => text !== null);
  // Drizzle only says that a statement failed; what it wraps says why.
  const words = messageOf(database ?? (statement === undefined ? error : chain.at(-1)));
  return bounded(statement === undefined || statement === null ? words : `${words}\nstatement: ${statement}`, ERROR_MESSAGE_LIMIT_BYTES);
}

/** Every error of the chain with its own frames, outermost first. */
export function failureStack(error: unknown): string {
  const links = chainOf(error).map((link) => {
    const head = `${textOf(link, "name") ?? typeof link}: ${messageOf(link)}`;
    return `${head}${framesOf(link)}`;
  });
  return bounded(links.join("\ncaused by "), STACK_LIMIT_BYTES);
}

/** Drizzle puts the parameters behind the statement, in one text; whoever wraps its error repeats them. */
const PARAMETERS = /\s*\nparams: [\s\S]*$/;

function messageOf(error: unknown): string {
  const text = textOf(error, "message") ?? (isPrimitive(error) ? String(error) : "thrown without a message");
  return text.includes("Failed query: ") ? text.replace(PARAMETERS, "") : text;
}

function isPrimitive(value: unknown): value is string | number | bigint | boolean | symbol | undefined {
  return typeof value !== "object" && typeof value !== "function";
}

/** The frames only: the head of a stack repeats the message, parameters included. */
function framesOf(error: unknown): string {
  const stack = textOf(error, "stack") ?? "";
  const message = textOf(error, "message") ?? "";
  const at = message === "" ? -1 : stack.indexOf(message);
  const rest = at === -1 ? stack : stack.slice(at + message.length);
  const firstFrame = rest.indexOf("\n    at ");
  return firstFrame === -1 ? "" : rest.slice(firstFrame);
}

/** Well-formed text without NUL (which no text column takes), cut at a character's border to so many bytes of UTF-8. */
function bounded(text: string, limitBytes: number): string {
  const clean = text.slice(0, limitBytes).replaceAll("\0", "\u{FFFD}").toWellFormed();
  const bytes = new TextEncoder().encode(clean);
  if (bytes.byteLength <= limitBytes) return clean;
  // `stream` leaves out the character that the cut has split.
  return new TextDecoder().decode(bytes.subarray(0, limitBytes), { stream: true });
}
