/** The conditions on events as a GET form: what is shown stands in the URL. */
import type { Child } from "hono/jsx";
import type { EventFilter } from "../../core/operators.ts";
import { AFTERS, hasConditions, STATUSES } from "../filter.ts";
import { filterQuery } from "../links.ts";
import { Hidden, Input, Select } from "../parts/field.tsx";

interface FilterFormProps {
  readonly action: string;
  readonly filter: EventFilter;
  readonly sources: readonly string[];
  readonly submit: string;
  /** More fields, of what the form is for. */
  readonly children?: Child;
  /** A replay is of dead letters, or of afters that were given up: those two are asked for elsewhere. */
  readonly withStatus?: boolean;
}

export function FilterForm({ action, filter, sources, submit, children, withStatus = true }: FilterFormProps) {
  const query = filterQuery(filter);
  return (
    <form class="filter" method="get" action={action} data-filter={withStatus ? "" : undefined} role="search" aria-label="Filter events">
      <Input name="id" label="Event id" type="search" value={query["id"]} maxLength={512} />
      {withStatus && <Select name="status" label="Status" any="any" options={STATUSES} value={query["status"]} />}
      <Select name="source" label="Source" any="any" options={sources} value={query["source"]} />
      <Input name="type" label="Type" value={query["type"]} maxLength={256} />
      <Input name="from" label="From" type="datetime-local" value={query["from"]} />
      <Input name="to" label="To" type="datetime-local" value={query["to"]} />
      {withStatus && <Select name="after" label="After" any="any" options={AFTERS} value={query["after"]} />}
      <Hidden fields={{ fingerprint: query["fingerprint"] }} />
      {children}
      <div class="buttons">
        <button type="submit" class="main">
          {submit}
        </button>
        {withStatus && hasConditions(filter) && <a href={action}>Clear</a>}
      </div>
    </form>
  );
}
