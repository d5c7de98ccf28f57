/** Gives every source of src/sources.ts what it lacks to be tried on this machine. What is set, here or elsewhere, is never touched. */
import type { Provider } from "../../src/providers/provider.ts";
import { appendVars, readVars } from "../dev-vars.ts";
import { handsOver } from "../../src/missing.ts";
import { fetchesKeys, keyVariables, newVars } from "../source-keys.ts";

/** Resolves to sentences for the user. `elsewhere`: names that are set outside of the file, by --var or in the environment. */
export async function addSourceSecrets(
  file: string,
  sources: Readonly<Record<string, Provider>>,
  elsewhere: { readonly flags: ReadonlySet<string>; readonly environment: ReadonlySet<string> },
): Promise<readonly string[]> {
  const said: string[] = [];
  const added: string[] = [];
  for (const [source, provider] of Object.entries(sources)) {
    const names = keyVariables(source);
    // Read anew: two sources may share a variable (`a-b` and `a_b` would, if both were names).
    const have = readVars(file);
    const made = await newVars(source, provider, have);
    const kept = Object.keys(made).filter((name) => elsewhere.flags.has(name) || elsewhere.environment.has(name));
    for (const name of kept.filter((one) => !elsewhere.flags.has(one)))
      said.push(`${name} is in the environment, which the Worker does not see: put it into ${file}`);
    const isOurs = !kept.includes(names.secret);
    const fresh = Object.fromEntries(Object.entries(made).filter(([name]) => !kept.includes(name) && (isOurs || name === names.verifyToken)));
    if (Object.keys(fresh).length > 0) {
      appendVars(file, commentFor(source, provider, fresh), fresh);
      added.push(...Object.keys(fresh));
    }
    if (handsOver(provider) && [names.secret, names.next].every((name) => (have[name] ?? "") === "" && !elsewhere.flags.has(name)))
      said.push(
        `${source}: ${provider.title} sends its secret in its handshake, so none is made; \`npm run send -- ${source}\` says how to try it here`,
      );
  }
  if (added.length > 0) said.unshift(`added to ${file}: ${added.join(", ")}`);
  return said;
}

function commentFor(source: string, provider: Provider, fresh: Readonly<Record<string, string>>): string {
  const { servedKey } = keyVariables(source);
  return servedKey in fresh && fetchesKeys(provider.scheme)
    ? `made by npm run dev for local use; ${servedKey} stands in for ${provider.title}'s key server: take it out to receive real deliveries`
    : "made by npm run dev for local use";
}
