/** The figures of now that one looks at first. */
import type { Child } from "hono/jsx";
import type { Stats } from "../../core/stats.ts";
import { pendingOverTime } from "../charts/buckets.ts";
import { Spark } from "../charts/spark.tsx";
import { agoText, countText, durationText, numberText } from "../format.ts";
import { EVENTS, FAILURES, withQuery } from "../links.ts";
import { Mark, type Mood } from "../parts/mark.tsx";

export function Tiles({ stats, nowMs }: { readonly stats: Stats; readonly nowMs: number }) {
  const { now, total, buckets } = stats;
  const pending = pendingOverTime(buckets, now.pending);
  return (
    <ul class="tiles">
      <Tile
        name="Dead letters"
        figure={numberText(now.deadLetters)}
        href={FAILURES}
        mood={now.deadLetters > 0 ? "failed" : "completed"}
        note={
          now.failedAfters > 0
            ? `and ${countText(now.failedAfters, "after")} given up`
            : now.deadLetters > 0
              ? "look at them by kind"
              : "nothing to do"
        }
      >
        <Spark values={buckets.map(({ failed }) => failed)} label="Failed over the time shown" />
      </Tile>
      <Tile
        name="Pending"
        figure={numberText(now.pending)}
        href={withQuery(EVENTS, { status: "pending" })}
        mood="pending"
        note={now.oldestPendingAtMs === null ? "nothing waits" : `oldest came ${agoText(now.oldestPendingAtMs, nowMs)}`}
      >
        <Spark values={pending} label="Pending over the time shown, reckoned from arrivals and outcomes" />
      </Tile>
      <Tile
        name="Queue backlog"
        figure={now.backlog === null ? "unknown" : numberText(now.backlog)}
        mood="neutral"
        note={
          now.owedAfters > 0
            ? `${countText(now.owedAfters, "after")} still to run`
            : now.backlog === null
              ? "the queue did not say"
              : "messages that wait"
        }
      />
      <Tile name="Received" figure={numberText(total.received)} href={EVENTS} mood="neutral" note={`${numberText(total.completed)} completed`}>
        <Spark values={buckets.map(({ received }) => received)} label="Received over the time shown" />
      </Tile>
      <Tile
        name="Arrival to commit"
        figure={total.p95Ms === null ? "none" : durationText(total.p95Ms)}
        mood="neutral"
        note={
          total.p50Ms === null
            ? "nothing was completed"
            : `p95${stats.percentilesOf === "hours" ? " of the worst hour" : ""}; half within ${durationText(total.p50Ms)}`
        }
      >
        <Spark values={buckets.map(({ p95Ms }) => p95Ms ?? 0)} label="p95 over the time shown" />
      </Tile>
    </ul>
  );
}

interface TileProps {
  readonly name: string;
  readonly figure: string;
  readonly note: string;
  readonly mood: Mood;
  readonly href?: string;
  readonly children?: Child;
}

function Tile({ name, figure, note, mood, href, children }: TileProps) {
  return (
    <li class={`tile ${mood}`}>
      <h2>
        {mood !== "neutral" && <Mark mood={mood} />}
        {href === undefined ? name : <a href={href}>{name}</a>}
      </h2>
      <p class="figure">{figure}</p>
      <p class="note">{note}</p>
      <div class="trend">{children}</div>
    </li>
  );
}
