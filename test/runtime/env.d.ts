/** The bindings as worker-configuration.d.ts has them, without its import of src/worker.ts, and with that of the user's code. */
interface Env {
  readonly HYPERDRIVE: Hyperdrive;
  readonly EVENTS: Queue;
  readonly SIGN_IN_LIMIT: RateLimit;
  readonly BUILD: WorkerVersionMetadata;
  readonly LOG_SUCCESS_RATE: string;
  readonly CLAIMS: DurableObjectNamespace<import("../../src/claim/event-claim.ts").EventClaim>;
}
