/** What the production scheme says of the explorer's deliveries: A and B are signed with the source's secret, F with somebody else's. */
import { Delivery } from "../../src/core/delivery.ts";
import { generic } from "../../src/providers/generic.ts";
import { sign, verify } from "../../src/schemes/scheme.ts";
import type { Sent } from "./world.ts";

const SECRETS: Readonly<Record<Sent, string>> = { A: "the source's secret", B: "the source's secret", F: "a guess" };

export async function productionVerdicts(): Promise<Record<Sent, boolean>> {
  const { scheme } = generic();
  const verdictOf = async (sent: Sent): Promise<boolean> => {
    const outgoing = {
      method: "POST",
      url: "https://here.example/webhooks/s",
      headers: {},
      body: new TextEncoder().encode(sent),
      id: "e",
      timestampMs: 0,
    };
    const { headers, ...signed } = await sign(scheme, outgoing, { secret: SECRETS[sent], privateKey: null });
    const circumstances = { nowMs: 0, toleranceMs: 0, fetchKey: () => Promise.reject(new Error("no key is fetched")) };
    return (await verify(scheme, new Delivery({ ...signed, headers: new Headers(headers) }), { current: SECRETS.A, next: null }, circumstances)).ok;
  };
  return { A: await verdictOf("A"), B: await verdictOf("B"), F: await verdictOf("F") };
}
