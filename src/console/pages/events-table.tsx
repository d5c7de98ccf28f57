/** A row for each event: how it stands, which it is, when it came, how long it took. */
import type { EventSummary } from "../../core/operators.ts";
import { countText, durationText } from "../format.ts";
import { eventPath } from "../links.ts";
import { Chip } from "../parts/mark.tsx";
import { Table } from "../parts/table.tsx";
import { Foreign, Time } from "../parts/text.tsx";

export function EventsTable({ events }: { readonly events: readonly EventSummary[] }) {
  return (
    <Table
      caption="Events, newest first"
      layout="events"
      columns={[
        { name: "Status" },
        { name: "Event" },
        { name: "Received", kind: "wide" },
        { name: "Took", kind: "wide figure" },
        { name: "Notes", kind: "wide" },
      ]}
    >
      {events.map((event) => (
        <EventRow event={event} />
      ))}
    </Table>
  );
}

function EventRow({ event }: { readonly event: EventSummary }) {
  return (
    <tr>
      <td>
        <Chip mood={event.status}>{event.status}</Chip>
      </td>
      <th scope="row" class="event">
        <a href={eventPath(event)}>
          <Foreign>{event.id}</Foreign>
        </a>
        <small>
          {event.source} · <Foreign kind="words">{event.type}</Foreign>
          <span class="narrow">
            {" "}
            · <Time atMs={event.receivedAtMs} />
          </span>
        </small>
        {event.error !== null && event.status !== "completed" && (
          <small class="error">
            <Foreign kind="words">{event.error}</Foreign>
          </small>
        )}
      </th>
      <td class="wide">
        <Time atMs={event.receivedAtMs} />
      </td>
      <td class="wide figure">{event.settledAtMs === null ? "" : durationText(event.settledAtMs - event.receivedAtMs)}</td>
      <td class="wide notes">
        <Foreign kind="words">{notesOf(event).join(", ")}</Foreign>
      </td>
    </tr>
  );
}

/** Only what is out of the ordinary. */
function notesOf(event: EventSummary): readonly string[] {
  return [
    ...(event.reason === null ? [] : [event.reason]),
    ...(event.after === "owed" ? ["after still to run"] : event.after === "failed" ? ["after given up"] : []),
    ...(event.totalAttempts === 0 ? [] : [countText(event.totalAttempts, "attempt")]),
    ...(event.replays === 0 ? [] : [countText(event.replays, "replay")]),
    ...(event.duplicates === 0 ? [] : [countText(event.duplicates, "duplicate")]),
    ...(event.mismatches === 0 ? [] : [countText(event.mismatches, "mismatch", "mismatches")]),
  ];
}
