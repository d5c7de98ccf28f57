/** Pages that say that something is not there, or not now. */
import type { Operator } from "../../core/operators.ts";
import { Layout } from "../layout.tsx";
import { EVENTS, OVERVIEW } from "../links.ts";
import { Foreign } from "../parts/text.tsx";

export function NotFound({ operator, what }: { readonly operator: Operator | null; readonly what: string }) {
  return (
    <Layout title="Not found" operator={operator}>
      <div class="trouble">
        <h1>Not found</h1>
        <p>
          <Foreign kind="words">{what}</Foreign>
        </p>
        <p>
          <a href={EVENTS}>Find an event</a> or go to the <a href={OVERVIEW}>overview</a>.
        </p>
      </div>
    </Layout>
  );
}

interface TroubleProps {
  readonly operator: Operator | null;
  readonly title: string;
  readonly detail: string;
  /** Where to try it again; null: going back is all that one can do. */
  readonly retry: string | null;
}

export function Trouble({ operator, title, detail, retry }: TroubleProps) {
  return (
    <Layout title={title} operator={operator}>
      <div class="trouble" role="alert">
        <h1>{title}</h1>
        <p>
          <Foreign kind="words">{detail}</Foreign>
        </p>
        {retry !== null && (
          <p>
            <a class="button main" href={retry}>
              Try again
            </a>
          </p>
        )}
      </div>
    </Layout>
  );
}
