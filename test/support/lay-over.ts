/** Pure. A test's own values laid over a provider's sample. */
import { mapEvents } from "../../cli/send/sample.ts";
import type { Sample } from "../../src/providers/sample.ts";

/** `path`: where the events stand in a delivery of several (a Split's items); null: the payload is the event. */
export function layOver(path: readonly string[] | null, sample: Sample, over: object): Sample {
  if (sample.form !== undefined) return { ...sample, form: { ...sample.form, ...texts(over) } };
  const body = mapEvents(sample.body, path, (events) =>
    path !== null && Array.isArray(over)
      ? over.map((one: unknown, at) => laidOver(events[at] ?? events[0], one))
      : events.map((event) => laidOver(event, over)),
  );
  return { ...sample, body };
}

/** Objects are merged, everything else is replaced. An empty object changes nothing. */
export function laidOver(base: unknown, over: unknown): unknown {
  if (isPlain(over) && Object.keys(over).length === 0) return base;
  if (!isPlain(base) || !isPlain(over)) return over;
  return Object.fromEntries(
    [...new Set([...Object.keys(base), ...Object.keys(over)])].map((key) => [key, key in over ? laidOver(base[key], over[key]) : base[key]]),
  );
}

const isPlain = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** A form has texts: an object in a field is its JSON. */
function texts(over: object): Record<string, string> {
  return Object.fromEntries(Object.entries(over).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]));
}
