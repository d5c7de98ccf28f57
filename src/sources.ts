/** THE USER'S. Which providers may deliver, under which names: the name is in the URL (/webhooks/<name>) and in the secret's variable. */
import type Stripe from "stripe";
import { defineSources, onFor } from "#holdfast";
import { generic } from "./providers/generic.ts";
import { github } from "./providers/github.ts";
import { standard } from "./providers/standard.ts";
import { stripe } from "./providers/stripe.ts";

export const sources = defineSources({
  generic: generic(),
  stripe: stripe<Stripe.Event>(),
  github: github(),
  standard: standard(),
});

/** `on(source, type, handler)`, typed from the map above. */
export const on = onFor(sources);
