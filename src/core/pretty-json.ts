/** Pure. JSON indented for reading, its tokens as they were written: numbers beyond what JavaScript can hold stay whole, and doubled keys stay visible. */

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;
/** Deeper lines begin no further to the right: a body of brackets would grow with the square of its depth. */
const INDENTED_LEVELS = 24;
const INDENT = "  ";
/** A page that shows more is read by nobody. */
const PRETTY_LIMIT_CHARACTERS = 1024 * 1024;

/** null: the text is no JSON, or would be too long. */
export function prettyJson(text: string): string | null {
  if (!isJson(text)) return null;
  const pieces: string[] = [];
  let length = 0;
  let depth = 0;
  let before = "";
  const put = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
  };
  const line = (): void => put(`\n${INDENT.repeat(Math.min(depth, INDENTED_LEVELS))}`);
  for (const [token] of text.matchAll(TOKENS)) {
    const opens = token === "{" || token === "[";
    const closes = token === "}" || token === "]";
    const isEmpty = closes && (before === "{" || before === "[");
    if (closes) depth -= 1;
    if (closes ? !isEmpty : before === "," || before === "{" || before === "[") line();
    put(token === ":" ? ": " : token);
    if (opens) depth += 1;
    if (length > PRETTY_LIMIT_CHARACTERS) return null;
    before = token;
  }
  return pieces.join("");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
