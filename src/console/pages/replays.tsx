/** Replays of groups, newest first. */
import type { Operator, ReplayRunSummary } from "../../core/operators.ts";
import { numberText } from "../format.ts";
import { Layout } from "../layout.tsx";
import { FAILURES, NEW_REPLAY, replayPath, REPLAYS } from "../links.ts";
import { Chip } from "../parts/mark.tsx";
import { Empty } from "../parts/notice.tsx";
import { Table } from "../parts/table.tsx";
import { Foreign, Time } from "../parts/text.tsx";
import { filterText } from "../filter-text.ts";

export function Replays({ operator, runs }: { readonly operator: Operator; readonly runs: readonly ReplayRunSummary[] }) {
  return (
    <Layout title="Replays" operator={operator} room={REPLAYS}>
      <div class="heading">
        <h1>Replays</h1>
        <a class="button" href={NEW_REPLAY}>
          New replay
        </a>
      </div>
      {runs.length === 0 ? (
        <Empty title="No replays of groups yet.">
          Begin one from a kind of <a href={FAILURES}>dead letters</a>. A single event is replayed on its own page.
        </Empty>
      ) : (
        <Table
          caption="Replays, newest first"
          columns={[
            { name: "Status", kind: "wide" },
            { name: "Of" },
            { name: "Replayed", kind: "figure" },
            { name: "Started", kind: "wide" },
            { name: "By", kind: "wide" },
          ]}
        >
          {runs.map((run) => (
            <tr>
              <td class="wide">
                <Chip mood={run.status}>{run.status}</Chip>
              </td>
              <th scope="row" class="event">
                <a href={replayPath(run.id)}>
                  <Foreign kind="words">{filterText(run.filter)}</Foreign>
                </a>
                <span class="narrow">
                  <Chip mood={run.status}>{run.status}</Chip>
                </span>
                {run.reason !== null && (
                  <small>
                    <Foreign kind="words">{run.reason}</Foreign>
                  </small>
                )}
              </th>
              <td class="figure">
                {numberText(run.replayed)} of {numberText(run.willReplay)}
              </td>
              <td class="wide">
                <Time atMs={run.startedAtMs} />
              </td>
              <td class="wide">
                <Foreign kind="words">{run.actor}</Foreign>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Layout>
  );
}
