/** Every preset by name, for tests, docs and the CLI. The Worker imports the presets that its sources name, and no others. */
import { generic } from "./generic.ts";
import { github } from "./github.ts";
import type { Provider } from "./provider.ts";
import { standard } from "./standard.ts";
import { stripe } from "./stripe.ts";

export const registry: Readonly<Record<string, () => Provider>> = { generic, github, standard, stripe };
