/** Pure. The texts that begin with a prefix, as a range in the order of their bytes: what an index can look up. */

const LAST = 0x10ffff;
const SURROGATES = { first: 0xd800, last: 0xdfff };

/** The first text after all that begin with the prefix; null: there is none. UTF-8 has the order of code points. */
export function afterPrefix(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST) points.pop();
  const last = points.pop();
  if (last === undefined) return null;
  const next = last + 1 === SURROGATES.first ? SURROGATES.last + 1 : last + 1;
  return String.fromCodePoint(...points, next);
}
