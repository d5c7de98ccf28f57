/** Pure. Hostile text for a terminal: whatever could move its cursor, change its colours or turn the text around is written out, as JSON writes it. */

/** Control characters (C0, DEL, C1), line and paragraph separators, direction marks, and halves of surrogate pairs. */
// eslint-disable-next-line no-control-regex -- these are what has to go
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

/** Within JSON text the result is the same JSON. */
export function plain(text: string): string {
  return text.replaceAll(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
