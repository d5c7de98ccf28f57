/** What an operator can order for this event as it stands. Each order is a form of its own; the ledger decides again when it comes. */
import { ORDER_REASON_LIMIT_CHARACTERS } from "../../core/limits.ts";
import type { EventStory } from "../../core/operators.ts";
import type { Child } from "hono/jsx";
import { eventPath } from "../links.ts";
import { Hidden, Input, Tick } from "../parts/field.tsx";

export function Actions({ story }: { readonly story: EventStory }) {
  const isSettled = story.status !== "pending";
  const canReplay = story.hasBody && (story.status === "failed" || story.status === "skipped" || story.after === "failed");
  return (
    <section class="panel orders" aria-labelledby="orders">
      <h2 id="orders">Orders</h2>
      {!isSettled && <p>It is open for work. Nothing to order until it is settled.</p>}
      {isSettled && !story.hasBody && <p>Without its bytes it cannot run again. Send it again from the provider.</p>}
      {canReplay && (
        <Order story={story} action="replay" button="Replay" class="main">
          <p>
            {story.after === "failed"
              ? "Runs its after once more; its effect stays as it is."
              : "Opens it again: its handler runs with the next batch."}
          </p>
        </Order>
      )}
      {story.hasBody && story.status === "completed" && (
        <Order story={story} action="replay" button="Force replay" class="danger">
          <p>It completed. Forced, its effect happens once more.</p>
          <Hidden fields={{ force: "asked" }} />
          <Tick name="confirm" id="force-confirm" label="I want its effect a second time" required />
          <Reason id="force-reason" />
        </Order>
      )}
      {story.status === "failed" && (
        <Order story={story} action="discard" button="Discard" class="">
          <p>Takes it off the dead letters. It counts as skipped, and can still be replayed.</p>
          <Reason id="discard-reason" />
        </Order>
      )}
      {isSettled && story.hasBody && (
        <Order story={story} action="erase" button="Erase" class="danger">
          <p>Removes its bytes, headers and error texts for good, as a privacy request asks for.</p>
          <Reason id="erase-reason" />
        </Order>
      )}
    </section>
  );
}

interface OrderProps {
  readonly story: EventStory;
  readonly action: "replay" | "discard" | "erase";
  readonly button: string;
  readonly class: string;
  readonly children: Child;
}

function Order({ story, action, button, class: look, children }: OrderProps) {
  return (
    <form class="order" method="post" action={eventPath(story, action)} aria-label={button}>
      {children}
      <button type="submit" class={look}>
        {button}
      </button>
    </form>
  );
}

function Reason({ id }: { readonly id: string }) {
  return <Input name="reason" label="Reason" id={id} required maxLength={ORDER_REASON_LIMIT_CHARACTERS} />;
}
