/** What authenticates a delivery of any preset is not among the headers that reach the queue, the ledger and the console; forms are what they sign. */
import { expect, it } from "vitest";
import { keptHeaders } from "../../../src/ingest/headers.ts";
import { flutterwave } from "../../../src/providers/flutterwave.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import { messageOf } from "../../../src/schemes/scheme.ts";
import { deliveryOf, keysOf, presetFiles, signedSample, type PresetFile } from "./presets.ts";

/** Values that only the right sender knows or makes. */
async function proofsOf(file: Pick<PresetFile, "name" | "make" | "sample">) {
  const { scheme }: Provider = file.make();
  const [keys] = await keysOf(file);
  const request = await signedSample(file, keys);
  const delivery = deliveryOf(request);
  const readers = messageOf(scheme)?.signature.at ?? ("at" in scheme ? [scheme.at] : [{ header: "authorization" }]);
  const texts = readers.flatMap((reader) => delivery.read(reader) ?? []);
  // `id:secret`, and what a pinned topic or a webhook's id is: that one is no secret, and stands in no header.
  return { kept: keptHeaders(delivery.headers, scheme), proofs: [keys.secret, ...texts].filter((text) => text.length >= 8) };
}

const files = [
  ...presetFiles,
  ...presetFiles
    .filter(({ name }) => name === "flutterwave")
    .map((file) => ({ ...file, name: "flutterwave v4", make: () => flutterwave({ version: "v4" }) })),
];

it.each(files.map((file) => [file.name, file] as const))("%s: no header with its signature or its secret is kept", async (_, file) => {
  const { kept, proofs } = await proofsOf(file);
  expect(proofs.length).toBeGreaterThan(0);
  for (const [name, value] of Object.entries(kept)) for (const proof of proofs) expect(value.includes(proof), name).toBe(false);
});

it("no header is kept in which a provider hands its secret over", () => {
  for (const { make } of presetFiles) {
    const { handshakes, scheme } = make();
    for (const handshake of handshakes) {
      if (handshake.kind !== "post_secret" || !("header" in handshake.secret)) continue;
      expect(keptHeaders(new Headers({ [handshake.secret.header]: "CANARY" }), scheme)).toEqual({});
    }
  }
});

it("a multipart body is a form for nobody but Dropbox Sign, above all for nobody who signs a form's fields (Twilio, Mandrill)", () => {
  expect(presetFiles.filter(({ make }) => make().multipart).map(({ name }) => name)).toEqual(["dropbox-sign"]);
});
