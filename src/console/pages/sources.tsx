/** Where providers post: each source's URL to copy, what it still needs, what it last brought. */
import type { Operator, SourceView } from "../../core/operators.ts";
import { agoText, numberText } from "../format.ts";
import { Layout } from "../layout.tsx";
import { EVENTS, SOURCES, withQuery } from "../links.ts";
import { Chip, type Mood } from "../parts/mark.tsx";
import { Empty } from "../parts/notice.tsx";
import { Copy, Time, WithCode } from "../parts/text.tsx";

interface SourcesProps {
  readonly operator: Operator;
  readonly sources: readonly SourceView[];
  readonly nowMs: number;
  /** Whether METRICS is bound. */
  readonly isCounted: boolean;
}

export function SourcesPage({ operator, sources, nowMs, isCounted }: SourcesProps) {
  return (
    <Layout title="Sources" operator={operator} room={SOURCES}>
      <h1>Sources</h1>
      {sources.length === 0 ? (
        <Empty title="No sources.">
          Name one in <code>src/sources.ts</code>, then deploy.
        </Empty>
      ) : (
        <ul class="sources">
          {sources.map((source) => (
            <Source source={source} nowMs={nowMs} />
          ))}
        </ul>
      )}
      <section class="panel" aria-labelledby="refused">
        <h2 id="refused">Deliveries that were refused</h2>
        <p>
          What fails its signature leaves no row here. Look for <code>"outcome":"rejected"</code> in the log: <code>npm run tail -- --failed</code>.
          {isCounted ? (
            <> They are counted in Analytics Engine: blob1 is delivery, blob2 rejected, blob3 the reason.</>
          ) : (
            <>
              {" "}
              Bind <code>METRICS</code> in <code>wrangler.toml</code> to have them counted.
            </>
          )}
        </p>
      </section>
    </Layout>
  );
}

const SECRETS: Readonly<Record<SourceView["secret"], readonly [mood: Mood, text: string]>> = {
  set: ["completed", "secret set"],
  "set, with next": ["completed", "secret set, next one too"],
  missing: ["failed", "secret missing"],
};

function Source({ source, nowMs }: { readonly source: SourceView; readonly nowMs: number }) {
  const [mood, secret] = SECRETS[source.secret];
  const { lastDay } = source;
  return (
    <li class="panel">
      <div class="heading">
        <h2>
          <a href={withQuery(EVENTS, { source: source.source })}>{source.source}</a>
        </h2>
        <span class="note">
          {source.docsUrl === null ? source.title : <a href={source.docsUrl} rel="noreferrer">{`Documentation of ${source.title}`}</a>}
        </span>
        <Chip mood={mood}>{secret}</Chip>
      </div>
      <p class="with-copy url">
        <code>{source.url}</code>
        <Copy text={source.url} what={`URL of ${source.source}`} />
      </p>
      {source.hints.length > 0 && (
        <ul class="hints">
          {source.hints.map((hint) => (
            <li>
              <WithCode>{hint}</WithCode>
            </li>
          ))}
        </ul>
      )}
      <p class="note">
        {source.lastReceivedAtMs === null ? (
          "Nothing has come yet."
        ) : (
          <>
            Last event <Time atMs={source.lastReceivedAtMs} /> ({agoText(source.lastReceivedAtMs, nowMs)}). In the last day:{" "}
            {numberText(lastDay.received)} received, {numberText(lastDay.completed)} completed, {numberText(lastDay.skipped)} skipped,{" "}
            {numberText(lastDay.failed)} failed.
          </>
        )}
      </p>
    </li>
  );
}
