/** Pure. Where a page of events begins, as text for a URL: `<epoch ms>,<source>,<id>`, each part encoded. Callers pass it back as it came. */
import type { EventCursor } from "./operators.ts";

export function encodeCursor({ receivedAtMs, source, id }: EventCursor): string {
  return [String(receivedAtMs), source, id].map(encodeURIComponent).join(",");
}

/** null: nobody was given that. */
export function decodeCursor(text: string): EventCursor | null {
  const parts = text.split(",").map(decoded);
  const [receivedAt, source, id] = parts;
  if (parts.length !== 3 || typeof receivedAt !== "string" || typeof source !== "string" || typeof id !== "string") return null;
  const receivedAtMs = Number(receivedAt);
  if (!/^\d{1,15}$/.test(receivedAt) || source === "" || id === "" || `${source}${id}`.includes("\0")) return null;
  return { receivedAtMs, source, id };
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
