/** The variables that a source's keys stand in: made for development and tests, read by whoever signs. No I/O, and no Node: tests read it in workerd. */
import { readConfig, secretVariable, verifyTokenVariable } from "../src/config.ts";
import { handsOver, missingFor } from "../src/missing.ts";
import type { Provider } from "../src/providers/provider.ts";
import { newKeys, type Scheme, type SigningKeys } from "../src/schemes/scheme.ts";

export type Vars = Readonly<Record<string, unknown>>;

export interface KeyVariables {
  readonly secret: string;
  readonly next: string;
  readonly verifyToken: string;
  /** The senders' half of `secret`, where a pair has two: only `npm run send` and tests read it. */
  readonly privateKey: string;
  readonly nextPrivateKey: string;
  /** What stands in for the provider's key server, in development alone. */
  readonly servedKey: string;
}

export function keyVariables(source: string): KeyVariables {
  const secret = secretVariable(source);
  const privateKey = secret.replace(/SECRET$/, "PRIVATE_KEY");
  return {
    secret,
    next: `${secret}_NEXT`,
    verifyToken: verifyTokenVariable(source),
    privateKey,
    nextPrivateKey: `${privateKey}_NEXT`,
    servedKey: secret.replace(/SECRET$/, "SERVED_KEY"),
  };
}

/** Whether signing takes more than the secret. */
export function needsPrivateKey(scheme: Scheme): boolean {
  if (scheme.kind === "jwt") return !(typeof scheme.key === "object" && "secret" in scheme.key);
  return scheme.kind === "ed25519" || scheme.kind === "ecdsa" || scheme.kind === "rsa";
}

/** Whether the key is the provider's, fetched from its key server, and the secret says only what is meant for us. */
export function fetchesKeys(scheme: Scheme): boolean {
  if (scheme.kind === "rsa") return scheme.key !== "secret";
  return scheme.kind === "jwt" && typeof scheme.key === "object" && !("secret" in scheme.key);
}

/** What a source lacks, made new; what it has is left alone. `withHandedOver`: also the secret that only the provider can know. */
export async function newVars(
  source: string,
  provider: Provider,
  have: Vars,
  { withHandedOver = false }: { readonly withHandedOver?: boolean } = {},
): Promise<Readonly<Record<string, string>>> {
  const names = keyVariables(source);
  const made: Record<string, string> = {};
  const missing = new Set(missingFor(source, provider, configOf(have), true).map(({ variable }) => variable));
  if (missing.has(names.secret) && (withHandedOver || !handsOver(provider))) {
    const keys = await newKeys(provider.scheme);
    made[names.secret] = keys.secret;
    if (keys.privateKey !== null) made[names.privateKey] = keys.privateKey;
    if (keys.served !== null) made[names.servedKey] = keys.served;
  }
  if (missing.has(names.verifyToken)) made[names.verifyToken] = crypto.randomUUID();
  return made;
}

/** What to sign a source's deliveries with. Throws, in words, where it is not configured. */
export async function signingKeys(source: string, provider: Provider, vars: Vars, slot: "current" | "next" = "current"): Promise<SigningKeys> {
  const names = keyVariables(source);
  const { current, next } = configOf(vars).secretsOf(source);
  const secret = slot === "next" ? next : (current ?? next);
  if (secret === null) throw new Error(await whatToSet(source, provider, slot));
  if (!needsPrivateKey(provider.scheme)) return { secret, privateKey: null };
  // A provider's own key signs for every source: it does not change with the source's secret.
  const isNext = (slot === "next" || current === null) && !fetchesKeys(provider.scheme);
  const variable = isNext ? names.nextPrivateKey : names.privateKey;
  const privateKey = vars[variable];
  if (typeof privateKey === "string" && privateKey.trim() !== "") return { secret, privateKey };
  const publicHalf = isNext ? names.next : names.secret;
  throw new Error(
    `${variable} is not set, and ${publicHalf} alone cannot sign: ${provider.title} signs with a private key that only it has. \`npm run dev\` makes both for a source that has neither: take ${publicHalf} out of .dev.vars, then restart it.`,
  );
}

async function whatToSet(source: string, provider: Provider, slot: "current" | "next"): Promise<string> {
  const names = keyVariables(source);
  if (slot === "next") {
    const made = await newKeys(provider.scheme);
    const fresh = {
      [names.next]: made.secret,
      ...(made.privateKey === null || fetchesKeys(provider.scheme) ? {} : { [names.nextPrivateKey]: made.privateKey }),
    };
    const lines = Object.entries(fresh).map(([name, value]) => `  ${assignment(name, value)}`);
    return `${names.next} is not set, so there is no second secret to sign with. Put one into .dev.vars, such as this new one, and restart \`npm run dev\`:\n${lines.join("\n")}`;
  }
  if (handsOver(provider))
    return `${names.secret} is not set: ${provider.title} sends its secret itself when a webhook is made, so \`npm run dev\` makes none. To try the source here, put ${names.secret}= and any text into .dev.vars, and restart \`npm run dev\`; take it out again before the real handshake.`;
  return `${names.secret} is not set: restart \`npm run dev\`, which makes one, or put the source's secret into .dev.vars or into the environment of this command.`;
}

/** One line of .dev.vars. Wrangler reads it with dotenv: written-out line ends count in double quotes alone, and `$NAME` is replaced everywhere. */
export function assignment(name: string, value: string): string {
  const text = value.replaceAll("$", "\\$");
  if (/^[\w.+/=:,@-]+$/.test(value)) return `${name}=${text}`;
  if (!value.includes("'") && !/[\r\n]/.test(value)) return `${name}='${text}'`;
  if (!/["\\\r]/.test(value)) return `${name}="${text.replaceAll("\n", "\\n")}"`;
  throw new TypeError(`the value of ${name} cannot be written on one line`);
}

/** As the Worker reads them. Timings are no business of a sender's, and only a Worker knows whether it may be fast. */
function configOf(vars: Vars): ReturnType<typeof readConfig> {
  return readConfig({ ...vars, TIMINGS: "" });
}
