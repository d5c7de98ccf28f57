/** What an official npm package says about a webhook: the contract of every adapter in packages/. */

export interface OracleRequest {
  readonly method: string;
  /** The full public URL, as configured at the provider. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request before it is signed, with what a provider chooses for each delivery. */
export interface Delivery extends OracleRequest {
  readonly id: string;
  readonly timestampMs: number;
}

export interface OracleSecrets {
  /** What an operator copies from the provider's dashboard. */
  readonly verifying: string;
  /** The same text for a shared secret; for a key pair the private key as PKCS#8 PEM. */
  readonly signing: string;
}

export interface Oracle {
  /** The name of our preset. */
  readonly provider: string;
  /** The name on npm. */
  readonly package: string;
  /** Fresh ones, in the provider's own form. */
  readonly secrets: () => Promise<OracleSecrets>;
  /** The provider's signed request over this body, made by the package itself; null where the package only verifies. */
  readonly sign: ((delivery: Delivery, signing: string) => Promise<OracleRequest>) | null;
  /** Whether the package accepts the request; a refusal that it throws is false. Null where the package only signs. */
  readonly verify: ((request: OracleRequest, verifying: string) => Promise<boolean>) | null;
  /** Changes something that the signature covers, and nothing else: mostly a byte of the body (`flipBody`). */
  readonly tamper: (request: OracleRequest) => OracleRequest;
  /** Bodies that this provider could send, before a signature is put into those that carry it. */
  readonly bodies: readonly string[];
  /** What the package does otherwise than documented, or than one would guess, in words. */
  readonly quirks: readonly string[];
}

/** Runs a verifier that refuses by an error, or by false. What `isRefusal` does not know is a fault of the adapter, and thrown on. */
export async function accepts(check: () => unknown, isRefusal: (error: Error) => boolean): Promise<boolean> {
  try {
    return (await check()) !== false;
  } catch (error) {
    if (error instanceof Error && isRefusal(error)) return false;
    throw error;
  }
}

/** For the packages whose refusals are plain `Error`s: told apart by their words, so that a TypeError of the adapter still shows. */
export function says(...words: readonly RegExp[]): (error: Error) => boolean {
  return (error) => words.some((word) => word.test(error.message));
}

/** Another last letter or digit: the body stays JSON, or a form, for packages that parse it before they verify it. */
export function flipBody(request: OracleRequest): OracleRequest {
  const flipped = request.body.replace(/[0-9A-Za-z](?=[^0-9A-Za-z]*$)/u, (last) =>
    /\d/.test(last) ? String((Number(last) + 1) % 10) : last === "a" ? "b" : "a",
  );
  if (flipped === request.body) throw new TypeError("a body needs a letter or a digit to be flipped");
  return { ...request, body: flipped };
}

export function withHeaders(request: OracleRequest, headers: Readonly<Record<string, string>>): OracleRequest {
  return { method: request.method, url: request.url, headers: { ...request.headers, ...headers }, body: request.body };
}

/** A header's value; packages refuse an empty one as they refuse a missing one. */
export function header(request: OracleRequest, name: string): string {
  return request.headers[name] ?? "";
}

export const seconds = (timestampMs: number): string => String(Math.floor(timestampMs / 1000));
