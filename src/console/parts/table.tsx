/** A table that scrolls in its own box where the screen is narrow; the box can be reached and scrolled by keyboard. */
import type { Child } from "hono/jsx";

export interface Column {
  readonly name: string;
  /** `figure`: to the right; `wide`: left out on a phone. */
  readonly kind?: "figure" | "wide" | "wide figure";
}

interface TableProps {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly children: Child;
  /** A table whose columns have their widths from the style, so that none moves while its rows arrive. */
  readonly layout?: "events";
}

export function Table({ caption, columns, children, layout }: TableProps) {
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={caption}>
      <table class={layout}>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, kind }) => (
              <th scope="col" class={kind}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** Pairs of a name and what it is. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: Child])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
