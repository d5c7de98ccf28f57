/** Nobody else's page may order anything in an operator's name: cookies and Access come along by themselves, whoever made the browser ask. */
import type { Context } from "hono";

const READS = new Set(["GET", "HEAD"]);

/** Whether a change comes from our own pages. Of any content type: JSON of another origin would need CORS, which is one thing more to rely on. */
export function isOwnRequest(c: Context): boolean {
  if (READS.has(c.req.method)) return true;
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  // Browsers leave Sec-Fetch-Site out on plain http; they do send Origin with every change.
  return c.req.header("origin") === new URL(c.req.url).origin;
}
