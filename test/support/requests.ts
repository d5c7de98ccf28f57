/** Signed requests as providers send them, and the Worker's answers, over any bindings. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { signingKeys } from "../../cli/source-keys.ts";
import type { Provider } from "../../src/providers/provider.ts";
import { sign } from "../../src/schemes/scheme.ts";
import { holdfast, type Sources } from "#holdfast";
import { marked } from "./leaks.ts";
import { sources } from "./own-app.ts";

export interface Answer {
  readonly status: number;
  readonly outcome: string | null;
  readonly body: unknown;
  readonly headers: Headers;
}

/** The Worker on these bindings: everything but what is overridden is real. */
export async function fetchWorker(request: Request, bindings: Env = env, from: Sources = sources): Promise<Answer> {
  const context = createExecutionContext();
  const response = await holdfast({ sources: from, handlers: [] }).fetch(request as Request<unknown, IncomingRequestCfProperties>, bindings, context);
  const text = await response.text();
  await waitOnExecutionContext(context);
  return { status: response.status, outcome: response.headers.get("holdfast-status"), body: parsed(text), headers: response.headers };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export interface DeliveryOptions {
  readonly source?: keyof typeof sources;
  readonly id?: string;
  readonly body?: string | Uint8Array | object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly secret?: string;
  readonly nowMs?: number;
}

/** A signed delivery. */
export async function delivery(options: DeliveryOptions = {}): Promise<Request> {
  const source = options.source ?? "generic";
  const provider: Provider = sources[source];
  const bytes =
    options.body instanceof Uint8Array
      ? options.body
      : new TextEncoder().encode(typeof options.body === "string" ? options.body : JSON.stringify(marked(options.body ?? { id: options.id })));
  const keys = await signingKeys(source, provider, env as unknown as Readonly<Record<string, unknown>>);
  const signed = await sign(
    provider.scheme,
    {
      method: "POST",
      url: `http://localhost/webhooks/${source}`,
      headers: { "content-type": "application/json" },
      id: options.id ?? "",
      timestampMs: options.nowMs ?? Date.now(),
      body: bytes,
    },
    options.secret === undefined ? keys : { ...keys, secret: options.secret },
  );
  return new Request(signed.url, { method: signed.method, body: signed.body, headers: { ...signed.headers, ...options.headers } });
}
