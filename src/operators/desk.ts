/** What an operator's request works with: made once for each, by src/admin/admin.ts. `see-*` reads, `order-*` changes; the JSON API and the console both call them. */
import type { Config } from "../config.ts";
import type { Operator } from "../core/operators.ts";
import type { Sources } from "../handler.ts";
import type { Tx } from "../store/guard.ts";

export interface Desk {
  readonly env: Env;
  readonly config: Config;
  /** One connection, opened by the first query. */
  readonly db: Tx;
  readonly sources: Sources;
  /** Where this request came to, without a path: what URLs of sources begin with where PUBLIC_BASE_URL is not set. */
  readonly origin: string;
}

/** Hono's types of every route under /admin. */
export interface OperatorEnv {
  Bindings: Env;
  Variables: { desk: Desk; operator: Operator };
}
