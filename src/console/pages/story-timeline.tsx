/** The story as a list: each moment with its time, its shape and its words; stacks are folded. */
import type { Attempt, AuditEntry, EventStory } from "../../core/operators.ts";
import { Mark } from "../parts/mark.tsx";
import { Foreign, Time } from "../parts/text.tsx";
import { type Moment, timelineOf } from "../timeline.ts";

export function Timeline({ story, nowMs }: { readonly story: EventStory; readonly nowMs: number }) {
  return (
    <ol class="timeline">
      {timelineOf(story, nowMs).map((moment) => (
        <li class={moment.mood}>
          <Mark mood={moment.mood} />
          <div>
            <p class="title">
              <strong>
                <Foreign kind="words">{moment.title}</Foreign>
              </strong>
              {moment.atMs !== null && <Time atMs={moment.atMs} />}
            </p>
            <Body moment={moment} />
          </div>
        </li>
      ))}
    </ol>
  );
}

function Body({ moment }: { readonly moment: Moment }) {
  return (
    <>
      {moment.text !== undefined && (
        <p>
          <Foreign kind="words">{moment.text}</Foreign>
        </p>
      )}
      {moment.attempt !== undefined && <AttemptBody attempt={moment.attempt} />}
      {moment.audit !== undefined && <AuditBody entry={moment.audit} />}
    </>
  );
}

function AttemptBody({ attempt }: { readonly attempt: Attempt }) {
  return (
    <>
      <p class="error">
        <Foreign kind="words">{attempt.message}</Foreign>
      </p>
      <p class="tags">
        <span>
          class <b>{attempt.class}</b>
        </span>
        <span>
          phase <b>{attempt.phase}</b>
        </span>
        {attempt.sqlstate !== null && (
          <span>
            sqlstate <b>{attempt.sqlstate}</b>
          </span>
        )}
        {attempt.constraint !== null && (
          <span>
            constraint{" "}
            <b>
              <Foreign kind="words">{attempt.constraint}</Foreign>
            </b>
          </span>
        )}
      </p>
      {attempt.stack !== null && (
        <details>
          <summary>Stack</summary>
          <pre tabindex={0} role="region" aria-label="Stack">
            <Foreign kind="words">{attempt.stack}</Foreign>
          </pre>
        </details>
      )}
    </>
  );
}

function AuditBody({ entry }: { readonly entry: AuditEntry }) {
  const reason = entry.details["reason"];
  return (
    <p>
      by <Foreign kind="words">{entry.actor}</Foreign>
      {typeof reason === "string" && reason !== "" && (
        <>
          : <Foreign kind="words">{reason}</Foreign>
        </>
      )}
    </p>
  );
}
