/** What somebody sees who is not, or not any more, signed in. */
import { Layout } from "./layout.tsx";
import { OVERVIEW } from "./links.ts";
import { Notice } from "./parts/notice.tsx";
import { Trouble } from "./pages/trouble.tsx";

export interface LoginProps {
  /** Why the last try failed; null: there was none. */
  readonly error: string | null;
  /** Where to go then: a path of this console. */
  readonly next: string;
  /** The last try left the name out. */
  readonly needsName: boolean;
}

export function LoginPage({ error, next, needsName }: LoginProps) {
  return (
    <Layout title="Sign in" operator={null}>
      <div class="panel login">
        <h1>Sign in</h1>
        {error !== null && <Notice mood="failed">{error}</Notice>}
        <form method="post" action="/admin/login" class="order">
          <input type="hidden" name="next" value={next} />
          <div class="field">
            <label for="field-name">Your name</label>
            <input
              id="field-name"
              name="name"
              autocomplete="username"
              required
              maxlength={80}
              aria-invalid={needsName ? "true" : undefined}
              aria-describedby="field-name-hint"
            />
            <small id="field-name-hint" class="hint">
              It stands beside everything that you order.
            </small>
          </div>
          <div class="field">
            <label for="field-token">Admin token</label>
            <input id="field-token" name="token" type="password" autocomplete="current-password" required />
          </div>
          <button type="submit" class="main">
            Sign in
          </button>
        </form>
      </div>
    </Layout>
  );
}

/** Nothing was done, and why. */
export function RefusedPage({ title, detail }: { readonly title: string; readonly detail: string }) {
  return <Trouble operator={null} title={title} detail={`${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`} retry={OVERVIEW} />;
}
