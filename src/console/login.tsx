/** What somebody sees who is not, or not any more, signed in. */

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
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Sign in · Holdfast</title>
      </head>
      <body>
        <main>
          <h1>Sign in</h1>
          {error !== null && <p role="alert">{error}</p>}
          <form method="post" action="/admin/login">
            <input type="hidden" name="next" value={next} />
            <p>
              <label>
                Your name <input name="name" autocomplete="username" required maxlength={80} aria-invalid={needsName ? "true" : undefined} />
              </label>{" "}
              It stands beside everything that you order.
            </p>
            <p>
              <label>
                Admin token <input name="token" type="password" autocomplete="current-password" required />
              </label>
            </p>
            <button type="submit">Sign in</button>
          </form>
        </main>
      </body>
    </html>
  );
}

/** Nothing was done, and why. */
export function RefusedPage({ title, detail }: { readonly title: string; readonly detail: string }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · Holdfast`}</title>
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          <p>{detail}</p>
          <p>
            <a href="/admin">To the console</a>
          </p>
        </main>
      </body>
    </html>
  );
}
