/** The console as a browser asks for it, by an operator whose token goes along. */
import { fetchWorker } from "./requests.ts";

const TOKEN = { authorization: "Bearer test-admin-token", "holdfast-operator": "Ada" };

export type PageInit = Omit<RequestInit, "headers"> & { readonly headers?: Readonly<Record<string, string>> };

/** Redirects are not followed. */
export async function openPage(path: string, bindings: Env, init: PageInit = {}) {
  const request = new Request(`http://localhost${path}`, { redirect: "manual", ...init, headers: { ...TOKEN, ...init.headers } });
  const { status, headers, body } = await fetchWorker(request, bindings);
  return { status, headers, text: typeof body === "string" ? body : JSON.stringify(body) };
}

export const formOf = (fields: Readonly<Record<string, string>>): PageInit => ({ method: "POST", body: new URLSearchParams(fields) });
