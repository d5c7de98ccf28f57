/** SHA-256 of exactly these bytes. */
import { toHex } from "./bytes.ts";

export async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** The body's digest, as it is kept and compared: lower-case hex. */
export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  return toHex(await sha256(bytes));
}
