/** Pure. Reads a server's last words. postgres.js drops a FATAL error that ends the connection, and with it the only reason for the loss. */

const ERROR_RESPONSE = 0x45;
const HEADER_BYTES = 5;

export interface Farewell {
  readonly sqlstate: string;
  readonly message: string;
}

/** The error in a chunk that consists of one ErrorResponse (byte 'E', length, then zero-terminated fields led by a letter), else null. */
export function readFarewell(chunk: Uint8Array): Farewell | null {
  if (chunk.byteLength <= HEADER_BYTES || chunk[0] !== ERROR_RESPONSE) return null;
  const length = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength).getUint32(1);
  if (length + 1 !== chunk.byteLength) return null;
  const fields = new TextDecoder().decode(chunk.subarray(HEADER_BYTES)).split("\0");
  const field = (letter: string): string | undefined => fields.find((text) => text.startsWith(letter))?.slice(1);
  const sqlstate = field("C");
  const severity = field("V");
  return sqlstate !== undefined && (severity === "FATAL" || severity === "PANIC") ? { sqlstate, message: field("M") ?? "" } : null;
}
