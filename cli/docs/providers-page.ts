/** Pure. docs/providers.md, from the presets' data: written by `npm run generate`, and a test says when it is stale. */
import type { Provider } from "../../src/providers/provider.ts";
import { answerInWords, eventsInWords, handshakesInWords, idInWords, idSignedInWords, PROOF_WORDS, signatureInWords } from "./words.ts";

export function providersPage(presets: readonly Provider[]): string {
  const sorted = presets.toSorted((a, b) => (a.title.toLowerCase() < b.title.toLowerCase() ? -1 : 1));
  const lines = [
    "# Providers",
    "",
    "Written by `npm run generate -- --docs` from `src/providers`: do not edit it here.",
    "",
    `${presets.length} presets. ${countsInWords(presets)} The date is that of the last look.`,
    "",
    "A provider that is not here takes a page of data in `src/sources.ts`: [custom-providers.md](custom-providers.md). A preset for everybody is one file",
    "(`src/providers/<name>.ts`: the data and a sample), one vector (`test/vectors/<name>.json`, made by neither our `sign` nor our `verify`) and one line in",
    "`src/providers/registry.ts`. `npm run check` names what is missing, and `npm run generate -- --docs` writes it into this table.",
    "",
    "How to read it:",
    "",
    "- **Signature**: where it stands, how it is made, and over what. `body` is every byte of it; of single values the rest can be changed.",
    "- **Event id**: what an event is known by, so that it runs once. A digest stands in where the provider has no id.",
    "- **Signed**: whether the signature covers the id. Where it does not, whoever captured a request can send it again as another event:",
    "  [what that means](custom-providers.md#what-an-unsigned-id-means).",
    "- **Same on retry**: whether the provider's retries carry the same id; `?`: it does not say. **`no`: a retry runs as another event. The handlers of",
    `  ${namesOf(sorted.filter(({ facts }) => facts.sameIdOnRetry === false))} must add nothing when they run again for one fact.**`,
    "- **Events**: how many one delivery carries. `split`: each element of that list (of the body, where none is named) becomes an event of its own.",
    "- **Answer**: what the provider must hear, where our 202 or 200 with JSON will not do, and how long it waits.",
    "",
    ...table([HEADINGS, ...sorted.map(row)]),
    "",
    "## What could not be verified",
    "",
    "What these presets rely on, and what the provider's own documentation does not say.",
    ...sorted.flatMap(unverified),
  ];
  return `${lines.join("\n")}\n`;
}

function namesOf(presets: readonly Provider[]): string {
  const titles = presets.map(({ title }) => title);
  return [titles.slice(0, -1).join(", "), ...titles.slice(-1)].filter((one) => one !== "").join(" and ");
}

const HEADINGS = ["Provider", "Signature", "Event id", "Signed", "Same on retry", "Events", "Handshake", "Answer", "Verified by"];

function row(provider: Provider): readonly string[] {
  const { title, docs, scheme, split, id, handshakes, acknowledgement, facts } = provider;
  const within = facts.ackSeconds === null ? "" : `within ${facts.ackSeconds} s`;
  return [
    `[${title}](${linkOf(docs)})`,
    signatureInWords(scheme),
    idInWords(split?.id ?? id),
    idSignedInWords(provider),
    facts.sameIdOnRetry === null ? "?" : facts.sameIdOnRetry ? "yes" : "no",
    eventsInWords(provider),
    handshakesInWords(handshakes),
    [answerInWords(acknowledgement), within].filter((one) => one !== "").join(", "),
    `${PROOF_WORDS[facts.proof]}, ${facts.checked}`,
  ];
}

/** From the folder of the page. */
const linkOf = (docs: string): string => (docs.startsWith("https://") ? docs : `../${docs}`);

function unverified({ title, facts }: Provider): readonly string[] {
  return facts.unverified.length === 0 ? [] : ["", `**${title}**`, "", ...facts.unverified.map((line) => `- ${asMarkdown(line)}`)];
}

/** A preset's sentences are plain text: what Markdown would take for a mark is set as code, outside of what is code already. */
function asMarkdown(text: string): string {
  return text
    .split("`")
    .map((piece, at) => (at % 2 === 1 ? `\`${piece}\`` : piece.replaceAll(/[^\s,;:()]*[*_<>][^\s,;:()]*?(?=(?:(?<!\.)\.)?(?:[\s,;:()]|$))/g, "`$&`")))
    .join("");
}

function countsInWords(presets: readonly Provider[]): string {
  const count = (proof: Provider["facts"]["proof"]): number => presets.filter(({ facts }) => facts.proof === proof).length;
  return `${count("vector")} agree with a published vector and ${count("package")} with an official package, neither of which we made; ${count("documentation")} were written from the provider's documentation, which is linked.`;
}

/** As the formatter leaves it. */
function table(rows: readonly (readonly string[])[]): readonly string[] {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = HEADINGS.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const [head = "", ...rest] = cells.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`);
  return [head, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rest];
}
