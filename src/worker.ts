/** Composition root: what the platform calls, and nothing else. */
import { handlers } from "./handlers/index.ts";
import { holdfast } from "./holdfast.ts";
import { sources } from "./sources.ts";

export default holdfast({ sources, handlers });
export { EventClaim } from "./claim/event-claim.ts";
export { ReplayRun } from "./replay-run/replay-run.ts";
