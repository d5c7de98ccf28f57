/** Who ordered what, newest first. */
import type { AuditEntry, Operator } from "../../core/operators.ts";
import { Layout } from "../layout.tsx";
import { AUDIT, eventPath, replayPath, withQuery } from "../links.ts";
import { Empty } from "../parts/notice.tsx";
import { Table } from "../parts/table.tsx";
import { Foreign, Time } from "../parts/text.tsx";
import { actionText } from "../timeline.ts";

interface AuditProps {
  readonly operator: Operator;
  readonly entries: readonly AuditEntry[];
  readonly next: string | null;
  readonly isLater: boolean;
}

export function Audit({ operator, entries, next, isLater }: AuditProps) {
  return (
    <Layout title="Audit" operator={operator} room={AUDIT}>
      <h1>Audit</h1>
      {entries.length === 0 ? (
        <Empty title={isLater ? "No older entries." : "Nothing was ordered yet."}>
          Every change that an operator orders stands here, with who and when.
        </Empty>
      ) : (
        <Table caption="Orders, newest first" columns={[{ name: "When" }, { name: "Who" }, { name: "What" }, { name: "Details", kind: "wide" }]}>
          {entries.map((entry) => (
            <tr>
              <td>
                <Time atMs={entry.atMs} />
              </td>
              <td>
                <Foreign kind="words">{entry.actor}</Foreign>
              </td>
              <th scope="row" class="event">
                {actionText(entry.action)}
                <About entry={entry} />
              </th>
              <td class="wide details">
                <Foreign kind="words">{detailsText(entry.details)}</Foreign>
              </td>
            </tr>
          ))}
        </Table>
      )}
      <nav class="pager" aria-label="Pages">
        {isLater && <a href={AUDIT}>Newest</a>}
        {next !== null && (
          <a rel="next" href={withQuery(AUDIT, { cursor: next })}>
            Older entries
          </a>
        )}
      </nav>
    </Layout>
  );
}

/** What the order was about. */
function About({ entry: { source, eventId, action, details } }: { readonly entry: AuditEntry }) {
  if (source !== null && eventId !== null) {
    return (
      <small>
        <a href={eventPath({ source, id: eventId })}>
          <Foreign>{eventId}</Foreign>
        </a>{" "}
        of {source}
      </small>
    );
  }
  const replay = details["replay"];
  if ((action === "replay_group" || action === "replay_group_cancelled") && typeof replay === "string") {
    return (
      <small>
        <a href={replayPath(replay)}>its progress</a>
      </small>
    );
  }
  return source === null ? null : <small>{source}</small>;
}

function detailsText(details: Readonly<Record<string, unknown>>): string {
  return Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("; ");
}
