/** Who may come in: whoever shows ADMIN_TOKEN. */
import { createMiddleware } from "hono/factory";
import { configOf } from "../config.ts";
import type { OperatorEnv } from "../operators/desk.ts";
import { isSameText } from "../schemes/compare.ts";
import { problem } from "./problem.ts";

export const onlyOperators = createMiddleware<OperatorEnv>(async (c, next) => {
  const { adminToken } = configOf(c.env);
  if (adminToken === null) return c.json({ error: "Not found" }, 404);
  const given = /^Bearer +(\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? "";
  if (!(await isSameText(given, adminToken))) return problem(401, "Unauthorized", "send the header `authorization: Bearer <ADMIN_TOKEN>`");
  c.set("operator", { name: "admin token", via: "token" });
  await next();
  c.header("cache-control", "no-store");
  return undefined;
});
