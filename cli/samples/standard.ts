/** Standard Webhooks: the payload that the specification recommends; its id and timestamp headers come with the signature. */
import type { MakeSample } from "./sample.ts";

export const standardSample: MakeSample = (type = "invoice.paid", { id, user, amount, reference }) => ({
  type,
  body: { type, timestamp: new Date().toISOString(), data: { id: reference ?? id, userId: user, amount } },
  headers: { "content-type": "application/json" },
});
