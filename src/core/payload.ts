/** Pure. An event's bytes for an operator's eyes: attacker-shaped text, shown as text and never as markup. */
import type { Payload } from "./operators.ts";
import { prettyJson } from "./pretty-json.ts";

export const NO_PAYLOAD: Payload = { text: null, pretty: null, isCut: false };

/** `bytes`: the body, or its beginning. */
export function shownPayload(bytes: Uint8Array, isCut: boolean): Payload {
  const text = textOf(bytes, isCut);
  return { text, pretty: text === null || isCut ? null : prettyJson(text), isCut };
}

function textOf(bytes: Uint8Array, isCut: boolean): string | null {
  try {
    // `stream` leaves out the character that a cut has split.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    return null;
  }
}
