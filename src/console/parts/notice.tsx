/** What the page has to say before all else, and what stands where there is nothing. */
import type { Child } from "hono/jsx";
import { Mark, type Mood } from "./mark.tsx";

/** `failed`: said at once by a screen reader; everything else when it has time. */
export function Notice({ mood, title, children }: { readonly mood: Mood; readonly title?: string; readonly children?: Child }) {
  return (
    <div class={`notice ${mood}`} role={mood === "failed" ? "alert" : "status"}>
      <Mark mood={mood} />
      <div>
        {title !== undefined && <strong>{title}</strong>}
        {title !== undefined && " "}
        {children}
      </div>
    </div>
  );
}

/** Nothing here, and what to do about it. */
export function Empty({ title, mood = "neutral", children }: { readonly title: string; readonly mood?: Mood; readonly children?: Child }) {
  return (
    <div class="empty">
      {mood !== "neutral" && <Mark mood={mood} />}
      <p>
        <strong>{title}</strong>
      </p>
      <p>{children}</p>
    </div>
  );
}
