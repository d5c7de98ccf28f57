/** The shortest whole story: if this fails, read it before any other test. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { timings } from "../../src/core/timings.ts";
import { openClient } from "../../src/store/client.ts";
import { readEvent } from "../../src/store/statements/read-event.ts";
import { soon } from "../support/claims.ts";
import { jsonBytes, post, uniqueId } from "../support/events.ts";

test("one signed webhook commits its effect", async () => {
  const id = uniqueId();
  expect(await post(id, jsonBytes({ id, type: "credit", userId: id, amount: 5 }))).toEqual({ status: 202, outcome: "queued" });
  const { db } = openClient(env.HYPERDRIVE, timings("fast"));
  await soon(async () => (await readEvent(db, { source: "generic", id }))?.status).toBe("completed");
});
