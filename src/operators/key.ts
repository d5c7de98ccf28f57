/** Pure. Whether a key from a URL can be one at all: text that Postgres would refuse is no event's. */
import type { EventKey } from "../core/event.ts";

export const isKey = ({ source, id }: EventKey): boolean => [source, id].every((text) => text !== "" && text.isWellFormed() && !text.includes("\0"));
