import { DurableObject } from "cloudflare:workers";
export default { fetch() { return new Response("hi"); } } satisfies ExportedHandler<Env>;
export class EventClaim extends DurableObject<Env> {}
