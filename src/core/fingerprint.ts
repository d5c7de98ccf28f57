/**
 * Pure. What kind of failure an error is: its first line without its values, so that a thousand events that failed alike are one line. A fingerprint
 * is over source, type, class, SQLSTATE and this title (store/fingerprint.ts).
 */

/** A message can be as long as a payload: what is searched is bounded first. */
const SEARCHED_CHARACTERS = 1_000;
/** Room for a sentence; as long as a line of a page. */
const TITLE_LIMIT_CHARACTERS = 200;

/**
 * One pass, the first that fits at a place decides: no placeholder is read again. Every alternative is bounded by the text's own bound.
 * `name`: what Postgres quotes behind these words is a name, not a value, and it says which error this is.
 */
const VALUES = new RegExp(
  [
    String.raw`(?<name>(?:relation|table|column|constraint|index|type|function|schema|trigger|view|sequence) "[^"]{1,63}")`,
    String.raw`(?<time>\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?(?:Z|[+-]\d\d:?\d\d))?)?)`,
    String.raw`(?<url>\b[a-z][a-z0-9+.-]*://[^\s"'<>]+)`,
    String.raw`(?<json>[{[]\s*["{[].*)`,
    // A parser quotes what it could not read, quotes and all.
    String.raw`(?<quoted>".*"(?=(?:\.\.\.)? is not valid JSON)|"[^"]*"|“[^”]*”|«[^»]*»|‘[^’]*’|` +
      String.raw`\x60[^\x60]*\x60|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}]))`,
    String.raw`(?<uuid>\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b)`,
    String.raw`(?<id>[^\s"'<>()=,;:@]+@[^\s"'<>()=,;:@]+)`,
    String.raw`(?<number>(?<![\p{L}\p{N}_])[+-]?\p{N}[\p{N}.,]*(?:e[+-]?\d+)?(?:%|ms|s|kB|MB|B)?(?![\p{L}\p{N}_-]))`,
    String.raw`(?<word>[\p{L}\p{N}_-]+)`,
  ].join("|"),
  "giu",
);

const HAS_DIGIT = /\p{N}/u;
const HAS_LETTER = /\p{L}/u;
/** No word of a sentence, and no name that somebody gave, is longer. */
const WORD_LIMIT_CHARACTERS = 48;
/** Control characters, line separators and what turns the direction of writing: a title stands in lists beside others. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** The first line that says something, without numbers, quoted text, ids, times and addresses; at most 200 characters. */
export function errorTitle(message: string): string {
  const line = message
    .slice(0, SEARCHED_CHARACTERS)
    .split(/[\r\n]/)
    .find((one) => HAS_LETTER.test(one));
  if (line === undefined) return "no message";
  const text = line.toWellFormed().replace(UNPRINTABLE, " ");
  const title = text.replace(VALUES, (found: string, ...rest) => placeholder(found, rest.at(-1) as Readonly<Record<string, string | undefined>>));
  return title.replaceAll(/\s+/g, " ").trim().slice(0, TITLE_LIMIT_CHARACTERS).toWellFormed();
}

function placeholder(found: string, groups: Readonly<Record<string, string | undefined>>): string {
  if (groups["name"] !== undefined) return found;
  if (groups["word"] !== undefined) return HAS_DIGIT.test(found) || found.length > WORD_LIMIT_CHARACTERS ? "<id>" : found;
  if (groups["time"] !== undefined) return "<time>";
  if (groups["url"] !== undefined) return "<url>";
  if (groups["json"] !== undefined) return "{...}";
  if (groups["quoted"] !== undefined) return '"..."';
  return groups["number"] === undefined ? "<id>" : "<n>";
}
