/** Dead letters by kind: how many of which error, since when, one to look at, and the way to replay all of a kind. */
import type { FailureGroup, Operator } from "../../core/operators.ts";
import { agoText, countText, numberText } from "../format.ts";
import { Layout } from "../layout.tsx";
import { eventPath, EVENTS, FAILURES, NEW_REPLAY, withQuery } from "../links.ts";
import { Empty, Notice } from "../parts/notice.tsx";
import { Select } from "../parts/field.tsx";
import { Foreign, Time } from "../parts/text.tsx";

interface FailuresProps {
  readonly operator: Operator;
  readonly groups: readonly FailureGroup[];
  readonly source: string | undefined;
  readonly problems: readonly string[];
  readonly sources: readonly string[];
  readonly nowMs: number;
}

export function Failures({ operator, groups, source, problems, sources, nowMs }: FailuresProps) {
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  return (
    <Layout title="Dead letters" operator={operator} room={FAILURES}>
      <div class="heading">
        <h1>Dead letters</h1>
        <span class="note">
          {countText(total, "dead letter")} of {countText(groups.length, "kind")}
        </span>
      </div>
      {problems.length > 0 && (
        <Notice mood="warning" title="Not applied:">
          <Foreign kind="words">{`${problems.join("; ")}.`}</Foreign>
        </Notice>
      )}
      <form class="filter small" method="get" action={FAILURES} data-filter="" aria-label="Filter dead letters">
        <Select name="source" label="Source" any="any" options={sources} value={source} />
        <div class="buttons">
          <button type="submit">Filter</button>
          {source !== undefined && <a href={FAILURES}>Clear</a>}
        </div>
      </form>
      {groups.length === 0 ? (
        <Empty title="No dead letters." mood="completed">
          Nothing to do.
        </Empty>
      ) : (
        <ol class="kinds">
          {groups.map((group) => (
            <Kind group={group} nowMs={nowMs} />
          ))}
        </ol>
      )}
    </Layout>
  );
}

function Kind({ group, nowMs }: { readonly group: FailureGroup; readonly nowMs: number }) {
  const { source, type, fingerprint } = group;
  return (
    <li class="panel">
      <h2>
        <span class="times">{numberText(group.count)} ×</span> <Foreign kind="words">{group.title}</Foreign>
      </h2>
      <p class="note">
        {source} · <Foreign kind="words">{type}</Foreign> ·{" "}
        <span class="together">
          first <Time atMs={group.firstMs} />,
        </span>{" "}
        <span class="together">
          last <Time atMs={group.lastMs} />
        </span>{" "}
        <span class="together">({agoText(group.lastMs, nowMs)})</span>
      </p>
      {group.permanent > 0 && (
        <p class="permanent">
          {group.permanent === group.count ? "All" : numberText(group.permanent)} ended by a permanent error or bad data: a replay alone will not
          help.
        </p>
      )}
      <p class="ways">
        <a href={eventPath({ source, id: group.exampleId })}>An example</a>
        <a href={withQuery(EVENTS, { status: "failed", fingerprint })}>All {numberText(group.count)}</a>
        <a href={withQuery(NEW_REPLAY, { what: "dead", source, type, fingerprint, dry: "yes" })}>Replay all</a>
      </p>
    </li>
  );
}
