/** Fresh secrets, in the forms that providers hand out. */
import { generateKeyPair, randomBytes, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { OracleSecrets } from "./oracle.ts";

const shared = (secret: string): OracleSecrets => ({ verifying: secret, signing: secret });

/** A text that is used as it is: `sharedText("whsec_")` is Stripe's. Neither hex nor base64 of any length, so that a decoding by mistake shows. */
export const sharedText =
  (prefix = "", length = 32) =>
  async (): Promise<OracleSecrets> =>
    shared(`${prefix}${Array.from(randomBytes(length), (byte) => "ghjkmnpqrstuvwxyzGHJKMNPQRSTUVWXYZ23456789_-"[byte % 44]).join("")}`);

/** Standard Webhooks: base64 of the key's bytes, mostly after `whsec_`. */
export const sharedBase64 =
  (prefix = "whsec_", bytes = 24) =>
  async (): Promise<OracleSecrets> =>
    shared(`${prefix}${randomBytes(bytes).toString("base64")}`);

export const sharedHex =
  (bytes = 32) =>
  async (): Promise<OracleSecrets> =>
    shared(randomBytes(bytes).toString("hex").toUpperCase());

const generate = promisify(generateKeyPair);
const pem = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }).toString();

/** The public key as its 32 bytes, which is what Discord (hex) and Telnyx (base64) show. */
export const ed25519Pair = (encoding: "hex" | "base64") => async (): Promise<OracleSecrets> => {
  const { publicKey, privateKey } = await generate("ed25519");
  const raw = publicKey.export({ type: "spki", format: "der" }).subarray(-32);
  return { verifying: raw.toString(encoding), signing: pem(privateKey) };
};

/** The public key as base64 of its SPKI form, which is what SendGrid shows. */
export const p256Pair = async (): Promise<OracleSecrets> => {
  const { publicKey, privateKey } = await generate("ec", { namedCurve: "prime256v1" });
  return { verifying: publicKey.export({ type: "spki", format: "der" }).toString("base64"), signing: pem(privateKey) };
};
