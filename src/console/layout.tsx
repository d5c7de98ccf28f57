/** Every page's frame: head, skip link, header with the way to all rooms, main, footer. No script or style but the two files of our own. */
import type { Child } from "hono/jsx";
import type { Operator } from "../core/operators.ts";
import { assetPath } from "./assets.ts";
import { AUDIT, EVENTS, FAILURES, LOGOUT, OVERVIEW, type REPLAYS, SOURCES } from "./links.ts";
import { Notice } from "./parts/notice.tsx";
import { Foreign } from "./parts/text.tsx";

const ROOMS = [
  [OVERVIEW, "Overview"],
  [EVENTS, "Events"],
  [FAILURES, "Dead letters"],
  [SOURCES, "Sources"],
  [AUDIT, "Audit"],
] as const;

/** Replays are not in the way of all rooms before groups can be replayed. */
export type Room = (typeof ROOMS)[number][0] | typeof REPLAYS;

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e76"/><path d="M9 7v18M23 7v18M9 16h14" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/><circle cx="16" cy="16" r="4.5" fill="#0b6e76" stroke="#fff" stroke-width="3"/></svg>',
)}`;

export interface LayoutProps {
  readonly title: string;
  /** null: nobody has signed in. */
  readonly operator: Operator | null;
  readonly room?: Room;
  /** What the order that led here did, in words. */
  readonly flash?: string | null;
  /** Without script the page is loaded again after so many seconds. */
  readonly reloadSeconds?: number | undefined;
  readonly children?: Child;
}

export function Layout({ title, operator, room, flash, reloadSeconds, children }: LayoutProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        {reloadSeconds !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={String(reloadSeconds)} />
          </noscript>
        )}
        <title>{`${title} · Holdfast`}</title>
        <link rel="icon" href={ICON} />
        <link rel="stylesheet" href={assetPath("style")} />
        <script type="module" src={assetPath("script")} />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="top">
          <a class="brand" href={OVERVIEW}>
            <img src={ICON} width="22" height="22" alt="" />
            Holdfast
          </a>
          {operator !== null && <Rooms room={room} />}
          {operator !== null && <Whoami operator={operator} />}
        </header>
        <main id="main" tabindex={-1}>
          {flash !== undefined && flash !== null && <Notice mood="completed">{flash}</Notice>}
          {children}
        </main>
        {operator !== null && (
          <footer class="foot">
            <p>
              Point at a time for its exact UTC. Times are in <span data-zone="">UTC</span>
            </p>
            <p class="keys">
              <kbd>/</kbd> finds an event, <kbd>j</kbd> and <kbd>k</kbd> go through rows
            </p>
          </footer>
        )}
      </body>
    </html>
  );
}

function Rooms({ room }: { readonly room: Room | undefined }) {
  return (
    <nav class="rooms" aria-label="Console">
      <ul>
        {ROOMS.map(([path, name]) => (
          <li>
            <a href={path} aria-current={path === room ? "page" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Whoami({ operator }: { readonly operator: Operator }) {
  return (
    <div class="whoami">
      <span class="who" title={operator.name}>
        <Foreign kind="words">{operator.name}</Foreign>
      </span>
      {operator.via === "session" && (
        <form method="post" action={LOGOUT}>
          <button type="submit" class="quiet">
            Sign out
          </button>
        </form>
      )}
    </div>
  );
}
