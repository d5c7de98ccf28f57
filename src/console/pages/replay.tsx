/** A group replay at work: how far it is, how its events end, and the way to stop it. */
import type { Operator, ReplayRunView } from "../../core/operators.ts";
import { filterText } from "../filter-text.ts";
import { numberText } from "../format.ts";
import { Layout } from "../layout.tsx";
import { EVENTS, filterQuery, replayPath, REPLAYS, withQuery } from "../links.ts";
import { Chip, Mark } from "../parts/mark.tsx";
import { Notice } from "../parts/notice.tsx";
import { Facts } from "../parts/table.tsx";
import { Foreign, Time } from "../parts/text.tsx";

interface ReplayProps {
  readonly operator: Operator;
  readonly run: ReplayRunView;
  readonly flash: string | null;
  readonly refusal: { readonly title: string; readonly detail: string } | null;
}

const OUTCOMES = ["completed", "skipped", "failed", "pending"] as const;
/** Without script. */
const RELOAD_SECONDS = 3;

export function Replay({ operator, run, flash, refusal }: ReplayProps) {
  const isOpen = run.status === "running" || run.outcomes.pending > 0;
  return (
    <Layout title="Replay" operator={operator} room={REPLAYS} flash={flash} reloadSeconds={isOpen ? RELOAD_SECONDS : undefined}>
      <p class="trail">
        <a href={REPLAYS}>Replays</a> / <Foreign>{run.id}</Foreign>
      </p>
      {refusal !== null && (
        <Notice mood="failed" title={`${refusal.title}:`}>
          <Foreign kind="words">{`${refusal.detail}.`}</Foreign>
        </Notice>
      )}
      <div data-live="run" data-replay={isOpen ? run.id : undefined}>
        <div class="heading">
          <h1>Replay</h1>
          <Chip mood={run.status}>{run.status}</Chip>
        </div>
        <section class="panel" aria-labelledby="progress">
          <h2 id="progress">Progress</h2>
          <p class="progress">
            <progress max={Math.max(1, run.willReplay)} value={run.replayed} aria-labelledby="progress" />
            <span>
              <b>{numberText(run.replayed)}</b> of {numberText(run.willReplay)} replayed
            </span>
          </p>
          {run.lastError !== null && (
            <Notice mood="warning" title="Its last step did not go through, and is tried again:">
              <Foreign kind="words">{run.lastError}</Foreign>
            </Notice>
          )}
          <h3>How the replayed stand now</h3>
          <ul class="outcomes">
            {OUTCOMES.map((outcome) => (
              <li class={outcome}>
                <Mark mood={outcome} />
                <b>{numberText(run.outcomes[outcome])}</b> {outcome}
              </li>
            ))}
          </ul>
          {run.status === "running" && (
            <form class="order" method="post" action={replayPath(run.id, "cancel")} aria-label="Cancel replay">
              <p>What it has opened stays open; the rest stays as it is.</p>
              <button type="submit" class="danger">
                Cancel replay
              </button>
            </form>
          )}
        </section>
        <RunFacts run={run} />
      </div>
    </Layout>
  );
}

function RunFacts({ run }: { readonly run: ReplayRunView }) {
  return (
    <section class="panel" aria-labelledby="order">
      <h2 id="order">Order</h2>
      <Facts
        facts={[
          [
            "Of",
            <a href={withQuery(EVENTS, filterQuery(run.filter))}>
              <Foreign kind="words">{filterText(run.filter)}</Foreign>
            </a>,
          ],
          ["By", <Foreign kind="words">{run.actor}</Foreign>],
          ["Reason", run.reason === null ? "none given" : <Foreign kind="words">{run.reason}</Foreign>],
          ["Started", <Time atMs={run.startedAtMs} />],
          ["Ended", run.finishedAtMs === null ? "not yet" : <Time atMs={run.finishedAtMs} />],
          ["Matched when it began", numberText(run.matched)],
          ["Speed", `${numberText(run.ratePerSecond)} per second`],
          ["At most", numberText(run.rowLimit)],
          ["Permanent ones too", run.withPermanent ? "yes" : "no"],
        ]}
      />
    </section>
  );
}
