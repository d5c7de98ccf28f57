/** Pure. What a source still needs from its operator before it can take deliveries, in words. */
import { type Config, secretVariable, verifyTokenVariable } from "./config.ts";
import type { Provider } from "./providers/provider.ts";
import { coversUrl } from "./schemes/coverage.ts";

export interface Missing {
  readonly variable: string;
  readonly hint: string;
  /** Nothing of this source is accepted until it is there. */
  readonly refuses: boolean;
}

/** Whether the provider sends the source's secret itself, in a handshake. */
export function handsOver(provider: Provider): boolean {
  return provider.handshakes.some((handshake) => handshake.kind === "post_secret");
}

export function missingFor(source: string, provider: Provider, config: Config, isDev: boolean): readonly Missing[] {
  const missing: Missing[] = [];
  const { current, next } = config.secretsOf(source);
  if (current === null && next === null) {
    const variable = secretVariable(source);
    const where = handsOver(provider)
      ? `: ${provider.title} sends it when the webhook is made, read it with GET /admin/api/sources/${source}/handshakes, then set it`
      : "";
    missing.push({
      variable,
      hint: `set ${variable}${where}: in .dev.vars on a laptop, which \`npm run dev\` makes and reads when it starts; with \`npx wrangler secret put ${variable}\` when deployed`,
      refuses: true,
    });
  }
  // On a laptop the request's own URL stands in for it.
  if (config.publicBaseUrl === null && coversUrl(provider.scheme) && !isDev) {
    missing.push({
      variable: "PUBLIC_BASE_URL",
      hint: `set PUBLIC_BASE_URL in wrangler.toml to what stands before /webhooks/${source} in the URL that ${provider.title} was given: its signature covers the URL`,
      refuses: true,
    });
  }
  const variable = verifyTokenVariable(source);
  if (
    config.verifyTokenOf(source) === null &&
    provider.handshakes.some((handshake) => handshake.kind === "get_echo" && handshake.tokenParam !== null)
  ) {
    missing.push({
      variable,
      hint: `set ${variable} to the verify token that ${provider.title} was given: without it the endpoint cannot be registered`,
      refuses: false,
    });
  }
  return missing;
}
