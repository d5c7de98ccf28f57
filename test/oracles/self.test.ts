/** Every adapter says yes to what is signed and no to what is not; without this, one that always says no would agree with every forgery test. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { byHand } from "./by-hand.ts";
import type { Delivery, Oracle, OracleRequest } from "./oracle.ts";
import { oracles } from "./oracles.ts";

const all = await oracles();

const delivery = (body: string): Delivery => ({
  method: "POST",
  url: "https://hooks.example.com/webhooks/oracle?tenant=a%20b&b=2",
  headers: { "content-type": "application/json" },
  body,
  id: "msg_2Lh9KRb0pzN4LePd3XiA4v12Axj",
  timestampMs: Date.now(),
});

/** By the package itself where it signs; whatever signs, it must not be both. */
function signer(oracle: Oracle): (delivery: Delivery, signing: string) => Promise<OracleRequest> {
  const hand = byHand[oracle.provider];
  assert.ok((oracle.sign === null) === (hand !== undefined), `${oracle.provider} is signed for by its package or by hand, not both or neither`);
  return oracle.sign ?? (async (delivery, signing) => (hand ?? assert.fail())(delivery, signing));
}

/** The second request with rubbish in every header that the two sign differently. */
function withRubbish(signed: OracleRequest, forged: OracleRequest, rubbish: string): OracleRequest | null {
  const names = Object.keys(forged.headers).filter((name) => signed.headers[name] !== forged.headers[name]);
  if (names.length === 0) return null;
  return { ...forged, headers: { ...forged.headers, ...Object.fromEntries(names.map((name) => [name, rubbish])) } };
}

void test("there are at least 32 packages", () => {
  assert.ok(new Set(all.map((oracle) => oracle.package)).size >= 32);
});

for (const oracle of all) {
  const { provider, verify } = oracle;
  if (verify === null) continue;
  void test(`${provider} (${oracle.package})`, async (t) => {
    const sign = signer(oracle);
    const secrets = await oracle.secrets();
    const others = await oracle.secrets();

    for (const [index, body] of oracle.bodies.entries()) {
      await t.test(`body ${index}`, async () => {
        const unsigned = delivery(body);
        const signed = await sign(unsigned, secrets.signing);
        assert.equal(await verify(signed, secrets.verifying), true, "accepts what is signed");
        assert.equal(await verify(oracle.tamper(signed), secrets.verifying), false, "refuses what was changed");
        assert.equal(await verify(unsigned, secrets.verifying), false, "refuses what is not signed");

        // SNS has one certificate for all.
        if (others.signing === secrets.signing) return;
        const forged = await sign(unsigned, others.signing);
        assert.equal(await verify(forged, secrets.verifying), false, "refuses another secret's signature");
        for (const rubbish of ["garbage", "t=1,v1=00", "", "é"]) {
          const request = withRubbish(signed, forged, rubbish);
          if (request !== null) assert.equal(await verify(request, secrets.verifying), false, `refuses the signature "${rubbish}"`);
        }
      });
    }
  });
}
