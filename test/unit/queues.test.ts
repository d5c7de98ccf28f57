/** wrangler.toml's queues: what a message meets when its retries run out. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const toml = readFileSync(join(import.meta.dirname, "../../wrangler.toml"), "utf8");
/** Each `[[queues.consumers]]` as its keys and values. */
const consumers = toml
  .split(/^\[+/m)
  .filter((section) => section.startsWith("queues.consumers]]"))
  .map((section) => Object.fromEntries([...section.matchAll(/^(\w+) = "?([^"\n]*)"?$/gm)].map(([, key, value]) => [key, value])));

test("B26 a dead-letter queue without a consumer, or none at all: messages disappear", () => {
  const consumed = consumers.map((consumer) => consumer["queue"]);
  expect(consumed).toEqual(["events", "events-dlq"]);
  // Every queue that is not itself the end has one, and somebody reads it; the last one sends back what it gets (src/queue/dead-letter.ts).
  expect(consumers.map((consumer) => consumer["dead_letter_queue"])).toEqual(["events-dlq", undefined]);
  // B27: the platform's most retries, and never at once.
  expect(consumers.map(({ max_retries, retry_delay }) => [max_retries, retry_delay])).toEqual([
    ["100", "30"],
    ["100", "60"],
  ]);
});
