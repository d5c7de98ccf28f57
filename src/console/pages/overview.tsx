/** What is going on: figures of now, charts of a time, dead letters by kind. */
import type { AlertInWords } from "../../operators/see-alerts.ts";
import type { FailureGroup, Operator } from "../../core/operators.ts";
import type { Stats } from "../../core/stats.ts";
import { FailureBars } from "../charts/failure-bars.tsx";
import { LatencyLines } from "../charts/latency-lines.tsx";
import { OutcomeBars } from "../charts/outcome-bars.tsx";
import { Layout } from "../layout.tsx";
import { FAILURES, OVERVIEW, withQuery } from "../links.ts";
import { Empty, Notice } from "../parts/notice.tsx";
import { Foreign, Time } from "../parts/text.tsx";
import { Tiles } from "./tiles.tsx";

export const RANGES = [
  ["1", "1 h"],
  ["6", "6 h"],
  ["24", "24 h"],
  ["720", "30 days"],
  ["2160", "90 days"],
] as const;

/** Kinds of dead letters that the overview has room for. */
const GROUPS_SHOWN = 6;

interface OverviewProps {
  readonly operator: Operator;
  readonly stats: Stats;
  readonly groups: readonly FailureGroup[];
  readonly alerts: readonly AlertInWords[];
  readonly hours: number;
  readonly nowMs: number;
}

export function Overview({ operator, stats, groups, alerts, hours, nowMs }: OverviewProps) {
  return (
    <Layout title="Overview" operator={operator} room={OVERVIEW}>
      <div class="heading">
        <h1>Overview</h1>
        <Ranges hours={hours} />
        <p class="fresh" data-live="fresh">
          As of <Time atMs={nowMs} />{" "}
          <a class="reload" href={withQuery(OVERVIEW, { hours })}>
            Refresh
          </a>
        </p>
      </div>
      <div data-live="alerts">
        <Alerts alerts={alerts} />
      </div>
      <div data-live="tiles">
        <Tiles stats={stats} nowMs={nowMs} />
      </div>
      <div data-live="outcomes" class="panel">
        <OutcomeBars stats={stats} />
      </div>
      <div data-live="latency" class="panel">
        <LatencyLines stats={stats} />
      </div>
      <section class="panel" aria-labelledby="dead-letters" data-live="dead-letters">
        <div class="heading">
          <h2 id="dead-letters">Dead letters by kind</h2>
          <a href={FAILURES}>{groups.length > GROUPS_SHOWN ? `All ${groups.length} kinds` : "All dead letters"}</a>
        </div>
        {groups.length === 0 ? (
          <Empty title="No dead letters." mood="completed">
            Nothing to do.
          </Empty>
        ) : (
          <FailureBars groups={groups.toSorted((one, other) => other.count - one.count).slice(0, GROUPS_SHOWN)} />
        )}
      </section>
    </Layout>
  );
}

/** Those that are open; a kind of failure is shown by its bar. */
function Alerts({ alerts }: { readonly alerts: readonly AlertInWords[] }) {
  const open = alerts.filter(({ closedAtMs, alert }) => closedAtMs === null && alert.kind !== "new_failure");
  if (open.length === 0) return null;
  return (
    <Notice mood="warning" title={open.length === 1 ? "An alert is open." : `${open.length} alerts are open.`}>
      <ul>
        {open.map(({ text, openedAtMs }) => (
          <li>
            <Foreign kind="words">{`${text.charAt(0).toUpperCase()}${text.slice(1)}.`}</Foreign> Seen <Time atMs={openedAtMs} />.
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Ranges({ hours }: { readonly hours: number }) {
  return (
    <nav aria-label="Time range" class="ranges">
      <ul>
        {RANGES.map(([value, text]) => (
          <li>
            <a href={withQuery(OVERVIEW, { hours: value })} aria-current={Number(value) === hours ? "true" : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
