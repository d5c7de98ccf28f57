/** Dead letters by kind, longest first: how many, what the error says, where it comes from. */
import type { FailureGroup } from "../../core/operators.ts";
import { numberText } from "../format.ts";
import { EVENTS, withQuery } from "../links.ts";
import { Foreign } from "../parts/text.tsx";
import { percent } from "./scale.ts";

export function FailureBars({ groups }: { readonly groups: readonly FailureGroup[] }) {
  const most = Math.max(1, ...groups.map(({ count }) => count));
  return (
    <ol class="failure-bars">
      {groups.map((group) => (
        <li>
          <div class="line">
            <a href={withQuery(EVENTS, { status: "failed", fingerprint: group.fingerprint })}>
              <Foreign kind="words">{group.title}</Foreign>
            </a>
            <b>{numberText(group.count)}</b>
          </div>
          <svg width="100%" height="8" role="img" aria-label={`${numberText(group.count)} dead letters`}>
            <rect class="rail" width="100%" height="8" rx="4" />
            <rect class="failed" width={percent(group.count / most)} height="8" rx="4" />
          </svg>
          <small>
            {group.source} · <Foreign kind="words">{group.type}</Foreign>
          </small>
        </li>
      ))}
    </ol>
  );
}
