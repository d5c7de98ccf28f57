/** The sample of every preset, by the preset's name. */
import { genericSample } from "./generic.ts";
import { githubSample } from "./github.ts";
import type { MakeSample } from "./sample.ts";
import { standardSample } from "./standard.ts";
import { stripeSample } from "./stripe.ts";

export const samples: Readonly<Record<string, MakeSample>> = {
  generic: genericSample,
  github: githubSample,
  standard: standardSample,
  stripe: stripeSample,
};
