/** One event: which it is, how it stands, what can be done, what happened, what it carried. */
import type { EventStory, Operator } from "../../core/operators.ts";
import { agoText } from "../format.ts";
import { Layout } from "../layout.tsx";
import { eventPath, EVENTS, withQuery } from "../links.ts";
import { Chip } from "../parts/mark.tsx";
import { Notice } from "../parts/notice.tsx";
import { Copy, Foreign } from "../parts/text.tsx";
import { Actions } from "./story-actions.tsx";
import { StoryFacts } from "./story-facts.tsx";
import { StoryHeaders } from "./story-headers.tsx";
import { StoryPayload } from "./story-payload.tsx";
import { Timeline } from "./story-timeline.tsx";

/** Longer ids are set smaller. */
const LONG_ID = 60;

interface StoryProps {
  readonly operator: Operator;
  readonly story: EventStory;
  readonly nowMs: number;
  readonly flash: string | null;
  /** Why the order just given was not carried out. */
  readonly refusal: { readonly title: string; readonly detail: string } | null;
}

export function Story({ operator, story, nowMs, flash, refusal }: StoryProps) {
  return (
    <Layout title={`Event ${story.id}`} operator={operator} room={EVENTS} flash={flash}>
      <p class="trail">
        <a href={EVENTS}>Events</a> / <a href={withQuery(EVENTS, { source: story.source })}>{story.source}</a> /{" "}
        <a href={withQuery(EVENTS, { source: story.source, type: story.type })}>
          <Foreign kind="words">{story.type}</Foreign>
        </a>
      </p>
      <div class="heading event-heading">
        <h1 class={story.id.length > LONG_ID ? "long" : undefined}>
          <Foreign>{story.id}</Foreign>
        </h1>
        <Copy text={story.id} what="event id" />
        <Chip mood={story.status}>{story.status}</Chip>
        <span class="note">received {agoText(story.receivedAtMs, nowMs)}</span>
      </div>
      {refusal !== null && (
        <Notice mood="failed" title={`${refusal.title}:`}>
          <Foreign kind="words">{`${refusal.detail}.`}</Foreign>
        </Notice>
      )}
      <Warnings story={story} />
      <div class="columns">
        <div>
          <section class="panel" aria-labelledby="happened">
            <h2 id="happened">What happened</h2>
            <Timeline story={story} nowMs={nowMs} />
          </section>
          <StoryPayload story={story} />
          <StoryHeaders headers={story.headers} />
        </div>
        <aside aria-label="Facts and orders">
          <Actions story={story} />
          <StoryFacts story={story} />
        </aside>
      </div>
    </Layout>
  );
}

function Warnings({ story }: { readonly story: EventStory }) {
  return (
    <>
      {story.suspectedReplayOf !== null && (
        <Notice mood="warning" title="Perhaps a captured copy.">
          The same bytes came before as{" "}
          <a href={eventPath({ source: story.source, id: story.suspectedReplayOf })}>
            <Foreign>{story.suspectedReplayOf}</Foreign>
          </a>
          : somebody may have sent them again under another id.
        </Notice>
      )}
      {story.mismatches > 0 && (
        <Notice mood="warning" title="Other bytes came under the same id.">
          The first are kept and were handled. The log line <code>payload_mismatch</code> has both digests.
        </Notice>
      )}
    </>
  );
}
