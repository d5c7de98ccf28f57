/** The shape that says how something stands, beside its word and colour: no colour alone. */
export type Mood = "pending" | "completed" | "skipped" | "failed" | "running" | "cancelled" | "neutral" | "warning";

const SHAPES: Readonly<Record<Mood, string>> = {
  /** A ring. */
  pending: "M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3Zm0 2.2v3l2 1.6",
  running: "M8 3a5 5 0 1 0 5 5M8 3V1.2M13 8h1.8",
  /** A tick. */
  completed: "m3 8.4 3.2 3.2L13 4.8",
  /** An arrow that passes by. */
  skipped: "M3 11.5c1.6-6 8-6 9.6-.6M12.8 7.4l-.2 3.6-3.4-.8",
  /** A cross. */
  failed: "m4 4 8 8m0-8-8 8",
  cancelled: "M4.5 4.5h7v7h-7Z",
  neutral: "M8 8h.01",
  warning: "M8 2.5 14 13H2Zm0 4v3m0 1.8v.1",
};

export function Mark({ mood }: { readonly mood: Mood }) {
  return (
    <svg class="mark" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={SHAPES[mood]} />
    </svg>
  );
}

/** Word and shape of a status. */
export function Chip({ mood, children }: { readonly mood: Mood; readonly children: string }) {
  return (
    <span class={`chip ${mood}`}>
      <Mark mood={mood} />
      {children}
    </span>
  );
}
