/** One event again, by an order to a running instance. */
import { keyParam } from "../admin-client.ts";
import type { InstanceFlags } from "../instance.ts";
import { plain } from "../log/plain.ts";
import { openAdmin } from "../open-admin.ts";
import { say } from "../terminal.ts";

interface OneFlags extends InstanceFlags {
  readonly force?: boolean;
  readonly reason?: string;
  readonly json?: boolean;
}

/** The exit code. */
export async function replayOne(source: string, eventId: string, flags: OneFlags): Promise<0 | 1> {
  const response = await openAdmin(flags).events[":source"][":id"].replay.$post({
    param: keyParam({ source, id: eventId }),
    json: { force: flags.force === true, reason: flags.reason ?? null },
  });
  const answer = asRecord(await response.text());
  if (flags.json === true) console.log(plain(JSON.stringify(answer)));
  if (response.ok) {
    if (flags.json !== true) console.log(plain(replayedInWords(source, eventId, answer)));
    return 0;
  }
  const reason = [answer["detail"], answer["error"], answer["title"]].find((one): one is string => typeof one === "string");
  say(`not replayed (${response.status}): ${reason ?? "no reason given"}`);
  return 1;
}

/** Pure. */
export function replayedInWords(source: string, eventId: string, answer: Readonly<Record<string, unknown>>): string {
  const note = typeof answer["note"] === "string" ? `; ${answer["note"]}` : "";
  const what = answer["what"] === "after" ? "its `after` is owed again" : "is open again";
  return `${source} ${eventId} ${what}: it runs as soon as its message arrives${note}`;
}

function asRecord(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : { error: text };
  } catch {
    return { error: text.slice(0, 300) };
  }
}
