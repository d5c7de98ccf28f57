/** The measured side of verify-cost.ts, in workerd: so many verifications, ours or the bare floor, of one signed request. */
import { Delivery } from "../../src/core/delivery.ts";
import { github } from "../../src/providers/github.ts";
import type { Provider } from "../../src/providers/provider.ts";
import { standard } from "../../src/providers/standard.ts";
import { stripe } from "../../src/providers/stripe.ts";
import { fromHex, toHex } from "../../src/schemes/bytes.ts";
import { newKeys, sign, verify, type Circumstances } from "../../src/schemes/scheme.ts";

const presets: Readonly<Record<string, () => Provider>> = { github, stripe, standard };

export default {
  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const { scheme } = (presets[searchParams.get("preset") ?? ""] ?? github)();
    if (scheme.kind !== "hmac") return new Response("not HMAC", { status: 400 });
    const times = Number(searchParams.get("times"));
    const body = new Uint8Array(Number(searchParams.get("bytes"))).fill(0x61);
    const nowMs = 1_767_225_600_000;
    const keys = await newKeys(scheme);
    const signed = await sign(scheme, { method: "POST", url: "https://hooks.example/", headers: {}, body, id: "evt_1", timestampMs: nowMs }, keys);

    const what = searchParams.get("what");
    if (what === "floor" || what === "reading") {
      // What nobody can do without: one pass of the MAC over as many bytes, under a key that is already imported.
      const raw = crypto.getRandomValues(new Uint8Array(64));
      const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: scheme.hash }, false, ["sign", "verify"]);
      const mac = await crypto.subtle.sign("HMAC", key, body);
      const headers = new Headers({ "x-signature": toHex(new Uint8Array(mac)) });
      for (let n = 0; n < times; n++) {
        const sent = what === "floor" ? mac : fromHex(headers.get("x-signature") ?? "");
        if (sent === null || !(await crypto.subtle.verify("HMAC", key, sent, body))) return new Response("wrong", { status: 500 });
      }
      return new Response("ok");
    }
    const circumstances: Circumstances = { nowMs, toleranceMs: 300_000, fetchKey: () => Promise.reject(new Error("no key is fetched")) };
    const headers = new Headers(signed.headers);
    for (let n = 0; n < times; n++) {
      const delivery = new Delivery({ method: "POST", url: signed.url, headers, body: signed.body });
      if (!(await verify(scheme, delivery, { current: keys.secret, next: null }, circumstances)).ok) return new Response("wrong", { status: 500 });
    }
    return new Response("ok");
  },
};
