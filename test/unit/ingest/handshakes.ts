/** A provider with any handshakes, asked. */
import { Delivery } from "../../../src/core/delivery.ts";
import type { HandshakeMeans } from "../../../src/ingest/handshake.ts";
import { generic } from "../../../src/providers/generic.ts";
import type { Handshake, Provider } from "../../../src/providers/provider.ts";
import { bytes } from "../schemes/requests.ts";

export const delivery = (method: string, headers: Record<string, string>, body: string, search = ""): Delivery =>
  new Delivery({ method, url: `https://x.example/webhooks/x${search}`, headers: new Headers(headers), body: bytes(body) });

export const means = (over: Partial<HandshakeMeans> = {}): HandshakeMeans => ({
  secrets: { current: "s3cret", next: null },
  verifyToken: null,
  confirm: async () => {
    throw new Error("nothing to confirm");
  },
  keepSecret: async () => {
    throw new Error("nothing to keep");
  },
  ...over,
});

export const withHandshakes = (...handshakes: Handshake[]): Provider => ({ ...generic(), handshakes });
