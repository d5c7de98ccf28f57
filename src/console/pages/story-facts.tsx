/** An event's columns, and what its claim says. */
import type { ClaimView, EventStory } from "../../core/operators.ts";
import { bytesText, countText, numberText } from "../format.ts";
import { EVENTS, withQuery } from "../links.ts";
import { Facts } from "../parts/table.tsx";
import { Copy, Foreign, Time } from "../parts/text.tsx";

const maybeTime = (atMs: number | null) => (atMs === null ? "not yet" : <Time atMs={atMs} />);

export function StoryFacts({ story }: { readonly story: EventStory }) {
  return (
    <>
      <section class="panel" aria-labelledby="facts">
        <h2 id="facts">Facts</h2>
        <Facts
          facts={[
            ["Received", maybeTime(story.receivedAtMs)],
            ["Settled", maybeTime(story.settledAtMs)],
            ["Attempts", `${numberText(story.attempts)} since it was opened, ${numberText(story.totalAttempts)} in all`],
            ["Duplicates", `at least ${numberText(story.duplicates)}`],
            ["Mismatches", numberText(story.mismatches)],
            ["Replays", numberText(story.replays)],
            ["After", story.after],
            ["Bytes", story.hasBody ? bytesText(story.bytesLength) : "no longer kept"],
            ["Content type", <Foreign kind="words">{story.contentType}</Foreign>],
            ["Digest", <Digest digest={story.digest} />],
            ...(story.fingerprint === null
              ? []
              : [["Kind of failure", <a href={withQuery(EVENTS, { fingerprint: story.fingerprint })}>{story.fingerprint}</a>] as const]),
            ["Opened", <Time atMs={story.opening} />],
            ["Build", story.build === null ? "not known" : <Foreign>{story.build}</Foreign>],
          ]}
        />
      </section>
      <section class="panel" aria-labelledby="claim">
        <h2 id="claim">Claim</h2>
        {story.claim === null ? (
          <p>Its object did not answer in time. Reload to ask again; the ledger above is the final word.</p>
        ) : (
          <Claim claim={story.claim} />
        )}
      </section>
    </>
  );
}

function Digest({ digest }: { readonly digest: string }) {
  return (
    <span class="with-copy">
      <code title={digest}>{`${digest.slice(0, 12)}…`}</code>
      <Copy text={digest} what="digest" />
    </span>
  );
}

function Claim({ claim }: { readonly claim: ClaimView }) {
  return (
    <Facts
      facts={[
        ["State", claim.status],
        ["Since", claim.sinceMs === null ? "not told" : <Time atMs={claim.sinceMs} />],
        ["Opened", claim.opening === null ? "not told" : <Time atMs={claim.opening} />],
        ["Holds bytes", claim.hasBytes ? "yes" : "no"],
        ["Refused sends", numberText(claim.refusals)],
        ["Sent again by watchdog", countText(claim.watchdogs, "time")],
        ["Duplicates", `at least ${numberText(claim.duplicates)}`],
        ["Mismatches", numberText(claim.mismatches)],
      ]}
    />
  );
}
