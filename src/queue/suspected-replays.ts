/** Which of a transaction's locked rows may be somebody's copies. Only sources whose event ids the signature does not cover are asked after. */
import { eventKeyText, type EventKey } from "../core/event.ts";
import type { Provider } from "../providers/provider.ts";
import { isSigned } from "../providers/readers.ts";
import type { Tx } from "../store/guard.ts";
import { findSuspectedReplays } from "../store/statements/suspected-replays.ts";
import type { Consumer } from "./consume.ts";

/** Another event's id, by the key of the one that has its bytes. */
export type SuspectedReplays = ReadonlyMap<string, string>;

export async function suspectedReplays(db: Tx, rows: readonly EventKey[], { provider, config }: Consumer): Promise<SuspectedReplays> {
  const asked = rows.filter((row) => canBeCopied(provider(row.source)));
  if (asked.length === 0) return new Map();
  const found = await findSuspectedReplays(db, asked, config.timings.replayWindowMs);
  return new Map(found.map((one) => [eventKeyText(one), one.of]));
}

/** A captured request can be sent again under another id. What is split has ids of its own in the signed bytes. */
function canBeCopied(provider: Provider | null): boolean {
  return provider !== null && provider.split === null && provider.id.some((reader) => !isSigned(reader, provider.scheme));
}
