/** Pure. What a sign-in is worth: who it names, how long it holds, where it leads back to, whose address it counts against. All that comes in is hostile text. */

/** Fits an address of a person; longer ones only fill the audit. */
const NAME_LIMIT_CHARACTERS = 80;

/** A name fit for an audit row, a page and a log line: without control and format characters (line breaks, bidi overrides), one line, bounded. null: nothing is left. */
export function operatorName(text: string): string | null {
  // Bounded before it is searched: a form's field can be long.
  const line = text
    .slice(0, 16 * NAME_LIMIT_CHARACTERS)
    .replaceAll(/[\s\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll(/\p{C}/gu, "")
    .trim();
  const name = Array.from(line).slice(0, NAME_LIMIT_CHARACTERS).join("").trim();
  return name === "" ? null : name;
}

/** What the console's cookie carries, signed: nothing secret. */
export interface Session {
  readonly name: string;
  readonly expiresAtMs: number;
}

/** Isolates' clocks differ by less. */
const CLOCK_SKEW_MS = 60_000;

/**
 * The session behind a cookie whose signature was right. Its end is checked here, not by the browser alone; one that ends later than a session made now
 * is not ours either. null: none, or over.
 */
export function sessionFrom(text: string, nowMs: number, sessionMs: number): Session | null {
  const parts = /^(\d{1,15})\.(.+)$/su.exec(text);
  const name = operatorName(parts?.[2] ?? "");
  const expiresAtMs = Number(parts?.[1]);
  if (name === null || !(nowMs < expiresAtMs && expiresAtMs <= nowMs + sessionMs + CLOCK_SKEW_MS)) return null;
  return { name, expiresAtMs };
}

export const sessionText = ({ name, expiresAtMs }: Session): string => `${expiresAtMs}.${name}`;

const HOME = "/admin";
const NEXT_LIMIT_CHARACTERS = 2_000;

/**
 * Where a sign-in leads: a path of this console, else its first page. It is read as browsers read it (backslashes, tabs, `..`, `%2e`), and what comes out is
 * the path that was read, so that no spelling of another host or of another part of this one gets through.
 */
export function wayBack(next: string | null | undefined): string {
  const base = "https://here.invalid";
  if (next == null || !next.startsWith(HOME) || next.length > NEXT_LIMIT_CHARACTERS || !URL.canParse(next, base)) return HOME;
  const url = new URL(next, base);
  const isConsole = url.origin === base && (url.pathname === HOME || url.pathname.startsWith(`${HOME}/`));
  // Not to where it would be asked for again, or undone.
  const isSignIn = /^\/admin\/+(?:login|logout)(?:\/|$)/i.test(url.pathname);
  return isConsole && !isSignIn ? url.pathname + url.search : HOME;
}

/** Whose attempts count together: an IPv4 address, or the /64 that one subscriber has of IPv6. */
export function addressGroup(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length) }, () => "0");
  return `${[...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}
