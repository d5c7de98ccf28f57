/** The body's digest: lower-case hex SHA-256 of exactly these bytes. */
import { toHex } from "./bytes.ts";

export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}
