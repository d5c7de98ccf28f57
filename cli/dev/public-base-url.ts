/** Pure. Where the Worker believes itself to be reached, with wrangler's precedence: providers that sign the URL sign that one. */
import { readConfig } from "../../src/config.ts";

const NAME = "PUBLIC_BASE_URL";

/** `file`: the variables of .dev.vars. `flags`: `NAME:value` of --var. `toml`: wrangler.toml. null: the request's own URL stands in for it. */
export function publicBaseUrl(file: Readonly<Record<string, string>>, flags: readonly string[], toml: string): string | null {
  const flag = flags.findLast((one) => one.startsWith(`${NAME}:`))?.slice(NAME.length + 1);
  const written = /^\s*PUBLIC_BASE_URL\s*=\s*(["'])(.*?)\1/m.exec(toml)?.[2];
  return readConfig({ [NAME]: file[NAME] ?? flag ?? written }).publicBaseUrl;
}
