/** A group replay before it begins: which events, how fast; then what it would do; only then the order. */
import { ORDER_REASON_LIMIT_CHARACTERS, REPLAY_RATE_LIMIT_PER_SECOND, REPLAY_ROWS_LIMIT } from "../../core/limits.ts";
import type { Operator, ReplayOrder, ReplayPlan } from "../../core/operators.ts";
import { filterText } from "../filter-text.ts";
import { countText, durationText, numberText } from "../format.ts";
import { Layout } from "../layout.tsx";
import { filterQuery, NEW_REPLAY, REPLAYS } from "../links.ts";
import { Hidden, Input, Select, Tick } from "../parts/field.tsx";
import { Empty, Notice } from "../parts/notice.tsx";
import { Facts } from "../parts/table.tsx";
import { Foreign } from "../parts/text.tsx";
import { FilterForm } from "./filter-form.tsx";

interface ReplayNewProps {
  readonly operator: Operator;
  readonly order: ReplayOrder;
  /** null: not asked for yet. */
  readonly plan: ReplayPlan | null;
  readonly problems: readonly string[];
  readonly sources: readonly string[];
}

export function ReplayNew({ operator, order, plan, problems, sources }: ReplayNewProps) {
  return (
    <Layout title="New replay" operator={operator} room={REPLAYS}>
      <p class="trail">
        <a href={REPLAYS}>Replays</a> / new
      </p>
      <h1>New replay</h1>
      {problems.length > 0 && (
        <Notice mood="failed" title="Not understood:">
          <Foreign kind="words">{`${problems.join("; ")}.`}</Foreign>
        </Notice>
      )}
      <section class="panel" aria-labelledby="which">
        <h2 id="which">1. Which, and how fast</h2>
        <FilterForm action={NEW_REPLAY} filter={order.filter} sources={sources} submit="Dry run" withStatus={false}>
          <Select
            name="after"
            label="What"
            any="dead letters"
            options={["failed"]}
            value={order.filter.after}
            names={{ failed: "afters given up" }}
          />
          <Input
            name="rate"
            label="Events per second"
            type="number"
            min={1}
            max={REPLAY_RATE_LIMIT_PER_SECOND}
            value={order.ratePerSecond}
            required
          />
          <Input name="limit" label="At most" type="number" min={1} max={REPLAY_ROWS_LIMIT} value={order.rowLimit} required />
          <Tick name="permanent" label="Also those that ended by a permanent error or bad data" checked={order.withPermanent} />
          <Hidden fields={{ dry: "yes" }} />
        </FilterForm>
      </section>
      {plan !== null && <Plan order={order} plan={plan} />}
    </Layout>
  );
}

function Plan({ order, plan }: { readonly order: ReplayOrder; readonly plan: ReplayPlan }) {
  return (
    <section class="panel" aria-labelledby="plan">
      <h2 id="plan">2. What it would do</h2>
      <p>
        <Foreign kind="words">{`Of ${filterText(order.filter)}:`}</Foreign>
      </p>
      <Facts
        facts={[
          ["Match", numberText(plan.matched)],
          ["Left out: permanent", numberText(order.withPermanent ? 0 : plan.permanent)],
          ["Left out: without bytes", numberText(plan.withoutBytes)],
          ["Would be replayed", <strong>{numberText(plan.willReplay)}</strong>],
          ["Takes at least", durationText(plan.seconds * 1_000)],
        ]}
      />
      {plan.willReplay === 0 ? (
        <Empty title="Nothing would be replayed.">Nothing has been changed. Widen the conditions, and try another dry run.</Empty>
      ) : (
        <form class="order" method="post" action={REPLAYS} aria-label="Start replay">
          <p>Nothing has been changed yet. Each event's handler runs again; what was settled meanwhile is left alone.</p>
          <Hidden
            fields={{
              ...filterQuery(order.filter),
              rate: order.ratePerSecond,
              limit: order.rowLimit,
              permanent: order.withPermanent ? "yes" : undefined,
            }}
          />
          <Input name="reason" label="Reason" hint="Stands in the audit." required maxLength={ORDER_REASON_LIMIT_CHARACTERS} />
          <div class="buttons">
            <button type="submit" class="main">
              Start replay
            </button>
            <span class="note">of {countText(plan.willReplay, "event")}</span>
          </div>
        </form>
      )}
    </section>
  );
}
