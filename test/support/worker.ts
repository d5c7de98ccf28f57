/** The Worker under test: Holdfast's own shells, with whatever handlers the test file asks for. */
import { sources } from "#app";
import { holdfast } from "#holdfast";
import { control } from "./control.ts";

export { EventClaim } from "../../src/claim/event-claim.ts";
export { ReplayRun } from "../../src/replay-run/replay-run.ts";

export default {
  fetch: (request, env, context) => holdfast({ sources, handlers: control.handlers }).fetch(request, env, context),
  queue: async (batch, env) => control.queue(batch, () => holdfast({ sources, handlers: control.handlers }).queue(batch, env)),
  scheduled: (controller, env) => holdfast({ sources, handlers: control.handlers }).scheduled(controller, env),
} satisfies ExportedHandler<Env>;
