/** On every answer under /admin, whoever made it: no inline script or style, in no frame, kept by nobody. The webhook routes have none of this. */
import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";

/** A webhook's body is text that an attacker wrote, and it is shown here: should it ever get out of its escaping, it finds nothing that would run it. */
export const containment = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", "data:"],
    connectSrc: ["'self'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
  },
  xFrameOptions: "DENY",
  referrerPolicy: "same-origin",
  // It would bind the whole host, which is the user's to decide.
  strictTransportSecurity: false,
});

/** What holds nothing of anybody's and has a hash in its name may be kept; else nothing. */
export const keptByNobody = createMiddleware(async (c, next) => {
  await next();
  c.header("x-robots-tag", "noindex, nofollow");
  if (!(c.req.path.startsWith("/admin/assets/") && c.res.ok)) c.header("cache-control", "no-store");
});
