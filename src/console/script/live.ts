/**
 * Figures that change while one looks: the same page is asked for again, and what is marked `data-live` is put in its place where it differs. There is one
 * way to draw a page, the server's. Places keep their size, so nothing moves.
 */
import { showTimes } from "./times.ts";

const OVERVIEW_MS = 10_000;
const REPLAY_MS = 1_000;

export function keepFresh(): void {
  if (document.querySelector("[data-live]") === null) return;
  const replay = document.querySelector("[data-live='run']");
  if (replay === null) schedule(OVERVIEW_MS);
  else if (document.querySelector("[data-replay]") !== null) schedule(REPLAY_MS);
}

function schedule(everyMs: number): void {
  setTimeout(() => void refresh(everyMs), everyMs);
}

async function refresh(everyMs: number): Promise<void> {
  let next = everyMs;
  try {
    // Nobody looks, nobody asks.
    if (document.visibilityState === "visible" && !(await takeOver())) return;
  } catch {
    // The network or the server is away: what is shown stays, and says of when it is.
    next = everyMs * 3;
  }
  schedule(next);
}

/** false: there is nothing more to wait for. */
async function takeOver(): Promise<boolean> {
  const response = await fetch(location.href, { headers: { accept: "text/html" } });
  if (response.redirected) {
    // Signed out: to the door, and back here from there.
    location.assign(response.url);
    return false;
  }
  if (!response.ok) throw new Error(String(response.status));
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  showTimes(fresh);
  for (const old of document.querySelectorAll<HTMLElement>("[data-live]")) {
    const replacement = fresh.querySelector(`[data-live="${CSS.escape(old.dataset["live"] ?? "")}"]`);
    if (replacement !== null) replace(old, replacement);
  }
  return document.querySelector("[data-live='run']:not([data-replay])") === null;
}

/** What one has opened, or is about to press, stays. */
function replace(old: HTMLElement, replacement: Element): void {
  if (old.outerHTML === replacement.outerHTML || old.querySelector("details[open]") !== null) return;
  const focused = old.contains(document.activeElement) ? pathTo(old, document.activeElement) : null;
  old.replaceWith(document.adoptNode(replacement));
  if (focused === null) return;
  const again = focused.reduce<Element | undefined>((element, n) => element?.children[n], replacement);
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

/** Which child of which child. */
function pathTo(root: Element, element: Element | null): readonly number[] {
  const path: number[] = [];
  for (let at = element; at !== null && at !== root; at = at.parentElement) path.unshift([...(at.parentElement?.children ?? [])].indexOf(at));
  return path;
}
