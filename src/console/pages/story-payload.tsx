/** What the event carried: indented where it is JSON, as it came, and to download to the last bit. Attacker-shaped text: only ever text here. */
import type { EventStory } from "../../core/operators.ts";
import { bytesText } from "../format.ts";
import { eventPath } from "../links.ts";
import { Foreign } from "../parts/text.tsx";

export function StoryPayload({ story }: { readonly story: EventStory }) {
  return (
    <section class="panel" aria-labelledby="payload">
      <div class="heading">
        <h2 id="payload">Payload</h2>
        {story.hasBody && (
          <a href={eventPath(story, "payload")} download="">
            Download {bytesText(story.bytesLength)}
          </a>
        )}
      </div>
      {story.hasBody ? <Texts story={story} /> : <p>Its bytes are no longer kept, or were erased. Only the provider can send it again.</p>}
    </section>
  );
}

function Texts({ story: { payload } }: { readonly story: EventStory }) {
  if (payload.text === null) return <p>It is not text. Download it to look at its bytes.</p>;
  if (payload.text === "") return <p>It is empty.</p>;
  return (
    <>
      {payload.isCut && <p class="note">This is only its beginning. The download has all of it.</p>}
      {payload.pretty !== null && (
        <details open>
          <summary>Pretty</summary>
          <pre class="payload" tabindex={0} role="region" aria-label="Pretty payload">
            <Foreign>{payload.pretty}</Foreign>
          </pre>
        </details>
      )}
      <details open={payload.pretty === null}>
        <summary>Raw</summary>
        <pre class="payload" tabindex={0} role="region" aria-label="Raw payload">
          <Foreign>{payload.text}</Foreign>
        </pre>
      </details>
    </>
  );
}
