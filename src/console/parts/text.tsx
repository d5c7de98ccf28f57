/** Other people's text, times and things to copy. */
import { isoText, utcText, visibleText } from "../format.ts";

/** Isolated, so that its direction of writing stays its own; may wrap anywhere. */
export function Foreign({ children, kind = "id" }: { readonly children: string; readonly kind?: "id" | "words" }) {
  return <bdi class={kind}>{visibleText(children)}</bdi>;
}

/** In UTC; the script writes the viewer's zone at the same width. The exact UTC is in its title. */
export function Time({ atMs }: { readonly atMs: number }) {
  const iso = isoText(atMs);
  if (iso === null) return <span>{atMs}</span>;
  return (
    <time datetime={iso} title={`${iso.replace("T", " ").replace("Z", "")} UTC`}>
      {utcText(atMs)}
    </time>
  );
}

/** Unseen without script, in the same place and size. */
export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <button type="button" class="copy" data-copy={text} aria-label={`Copy ${what}`} title={`Copy ${what}`}>
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        <path class="sheet" d="M5.5 5.5h7v8h-7Zm-2 5v-8h7" />
        <path class="tick" d="m3 8.4 3.2 3.2L13 4.8" />
      </svg>
    </button>
  );
}
