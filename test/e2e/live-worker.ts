/** The Worker that test/oracles/live.test.ts runs: a source for each package that signs, and a handler that writes one row an event. */
import { holdfast, defineSources, onFor, type Provider } from "#holdfast";
import { registry } from "../../src/providers/registry.ts";
import { entries } from "../support/own-app.ts";
import { SIGNING } from "./live-sources.ts";

export { EventClaim } from "../../src/claim/event-claim.ts";
export { ReplayRun } from "../../src/replay-run/replay-run.ts";

const sources: Readonly<Record<string, Provider>> = defineSources(
  Object.fromEntries(
    SIGNING.map((name) => {
      const registered = registry[name];
      if (registered === undefined) throw new Error(`there is no preset ${name}`);
      return [name, registered.preset()];
    }),
  ),
);
const on = onFor(sources);

export default holdfast({
  sources,
  handlers: SIGNING.map((name) =>
    on(name, "*", async ({ tx, event }) => {
      await tx.insert(entries).values({ reference: event.key, userId: event.source, amount: 1n });
    }),
  ),
});
