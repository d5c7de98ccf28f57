/** Generic: id and type in the body, as most senders that have no headers of their own do. */
import type { MakeSample } from "./sample.ts";

export const genericSample: MakeSample = (type = "balance.credit", { id, user, amount, reference }) => ({
  type,
  body: { id, type, userId: user, amount, ...(reference === undefined ? {} : { reference }) },
  headers: { "content-type": "application/json" },
});
