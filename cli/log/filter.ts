/** Pure. Which lines somebody wants to see. */
import type { Fact } from "./fact.ts";
import type { Group, Line } from "./invocation.ts";

export interface LogFilter {
  readonly source?: string | undefined;
  readonly event?: string | undefined;
  /** Warnings and errors alone. */
  readonly failed?: boolean | undefined;
}

/** An invocation's failure has no event of its own: it is shown unless everything else there is about others. Foreign text likewise. */
export function select({ lines, failures }: Group, filter: LogFilter): Line[] {
  const facts = lines.flatMap((line) => (line.kind === "fact" ? [line.fact] : []));
  const isOurs = facts.length === 0 || facts.some((fact) => isAbout(fact, filter));
  const shown = lines.filter((line) => (line.kind === "fact" ? isAbout(line.fact, filter) && isWanted(line.fact, filter) : isOurs));
  const ends = failures.filter(
    (fact) =>
      isWanted(fact, filter) && (fact["source"] === undefined || filter.source === undefined ? isOurs : isAbout(fact, { source: filter.source })),
  );
  return [...shown, ...ends.map((fact): Line => ({ kind: "fact", fact }))];
}

function isAbout(fact: Fact, { source, event }: LogFilter): boolean {
  if (source !== undefined && fact["source"] !== source) return false;
  return event === undefined || fact["eventId"] === event || fact["otherEventId"] === event;
}

const isWanted = ({ level }: Fact, { failed }: LogFilter): boolean => failed !== true || level === "warn" || level === "error";
