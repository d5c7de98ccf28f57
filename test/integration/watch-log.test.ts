/** The watch over every log line of the suite (test/support/watch-log.ts): what it would miss, it would miss everywhere. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { log } from "../../src/log.ts";
import { deliver } from "../support/deliver.ts";
import { claimOf, jsonBytes, post, uniqueId } from "../support/events.ts";
import { PAYLOAD_CANARY, take } from "../support/leaks.ts";
import { consume, ledger, message } from "../support/ledger.ts";
import { on } from "../support/own-app.ts";
import { delivery, fetchWorker } from "../support/requests.ts";

const say = (hint: string): void => log("info", "unhandled", { hint });

test("a secret of the bindings is seen, also where a test mocks the console", () => {
  const mocked = vi.spyOn(console, "log").mockImplementation(() => {});
  say(`token ${env.ADMIN_TOKEN}`);
  mocked.mockRestore();
  expect(take()).toEqual([expect.stringMatching(/^a secret in the log line: .*test-admin-token/)]);
});

test("a signature is seen in any encoding, and so is a key that only one test has", async () => {
  const secret = "a-secret-of-this-test-alone";
  const request = await delivery({ id: uniqueId(), secret });
  const hex = request.headers.get("x-webhook-signature") ?? "";
  say(`v1=${hex}`);
  say(`sha256=${Uint8Array.fromHex(hex).toBase64()}`);
  say(`with ${secret}`);
  expect(take().map((leak) => leak.slice(0, 11))).toEqual(["a signature", "a signature", "a secret in"]);
});

test("the signature of a stranger is seen, though nobody here made it", async () => {
  const forged = "0123456789abcdef".repeat(4);
  await fetchWorker(new Request("http://localhost/webhooks/generic", { method: "POST", body: "{}", headers: { "x-webhook-signature": forged } }));
  say(forged);
  expect(take()).toEqual([expect.stringMatching(/^a signature/)]);
});

test("a payload is seen in the claim's lines, in a handler's, and in the consumer's", async () => {
  await runInDurableObject(claimOf(uniqueId()), () => say(PAYLOAD_CANARY));
  await deliver(
    "generic",
    "t",
    { note: PAYLOAD_CANARY },
    {
      handlers: [
        on("generic", "*", ({ event }) => {
          say(new TextDecoder().decode(event.bytes));
          return Promise.resolve();
        }),
      ],
    },
  );
  const books = await ledger("watch_log");
  await consume(
    books,
    [await message()],
    [
      on("generic", "*", ({ event }) => {
        throw new Error(`cannot book ${new TextDecoder().decode(event.bytes).slice(1)}`);
      }),
    ],
  );
  expect(take()).toHaveLength(3);
});

test("the lines that the whole path writes give nothing away", async () => {
  const lines = vi.spyOn(console, "log");
  expect((await post(uniqueId(), jsonBytes({ note: PAYLOAD_CANARY }))).status).toBe(202);
  expect(lines).toHaveBeenCalled();
  lines.mockRestore();
  expect(take()).toEqual([]);
});
