/** Pure. What operators may put into an order: a reason in words, and the bounds of a group replay. */
import { ORDER_REASON_LIMIT_CHARACTERS } from "./limits.ts";

/** Fit for a column and a page: trimmed, without NUL, well-formed. null: there is none, or it is too long. */
export function readReason(text: string | null | undefined): string | null {
  const clean = (text ?? "").toWellFormed().replaceAll("\0", "").trim();
  return clean === "" || clean.length > ORDER_REASON_LIMIT_CHARACTERS ? null : clean;
}
