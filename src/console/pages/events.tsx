/** Events, newest first: a filter that stands in the URL, a table, a way to the next page. */
import type { EventFilter, EventSummary, Operator } from "../../core/operators.ts";
import { hasConditions } from "../filter.ts";
import { countText } from "../format.ts";
import { Layout } from "../layout.tsx";
import { EVENTS, FAILURES, filterQuery, withQuery } from "../links.ts";
import { Empty, Notice } from "../parts/notice.tsx";
import { Foreign } from "../parts/text.tsx";
import { EventsTable } from "./events-table.tsx";
import { FilterForm } from "./filter-form.tsx";

interface EventsProps {
  readonly operator: Operator;
  readonly filter: EventFilter;
  readonly problems: readonly string[];
  readonly events: readonly EventSummary[];
  /** null: these are the last. */
  readonly next: string | null;
  /** This page is not the first. */
  readonly isLater: boolean;
  readonly sources: readonly string[];
}

export function Events({ operator, filter, problems, events, next, isLater, sources }: EventsProps) {
  const query = filterQuery(filter);
  return (
    <Layout title="Events" operator={operator} room={EVENTS}>
      <h1>Events</h1>
      {problems.length > 0 && (
        <Notice mood="warning" title="Not applied:">
          <Foreign kind="words">{`${problems.join("; ")}.`}</Foreign>
        </Notice>
      )}
      <FilterForm action={EVENTS} filter={filter} sources={sources} submit="Filter" />
      {filter.fingerprint !== undefined && <KindNotice filter={filter} />}
      {events.length === 0 ? <NoEvents filter={filter} isLater={isLater} /> : <EventsTable events={events} />}
      <nav class="pager" aria-label="Pages">
        {isLater && <a href={withQuery(EVENTS, query)}>Newest</a>}
        <span>{events.length > 0 && countText(events.length, "event")}</span>
        {next !== null && (
          <a rel="next" href={withQuery(EVENTS, { ...query, cursor: next })}>
            Older events
          </a>
        )}
      </nav>
    </Layout>
  );
}

function KindNotice({ filter }: { readonly filter: EventFilter }) {
  return (
    <p class="kind">
      Of one kind of failure, <code>{filter.fingerprint}</code>.{" "}
      <a href={withQuery(EVENTS, { ...filterQuery(filter), fingerprint: undefined })}>All kinds</a> <a href={FAILURES}>Dead letters by kind</a>
    </p>
  );
}

function NoEvents({ filter, isLater }: { readonly filter: EventFilter; readonly isLater: boolean }) {
  if (isLater) return <Empty title="No older events.">These were the last.</Empty>;
  if (!hasConditions(filter)) {
    return (
      <Empty title="No events yet.">
        Post a webhook to one of your <a href="/admin/sources">sources</a>, or run <code>npm run send</code>.
      </Empty>
    );
  }
  return (
    <Empty title="No event matches.">
      An id is found by how it begins, a type by the whole of it. <a href={EVENTS}>Clear the filter</a>.
    </Empty>
  );
}
