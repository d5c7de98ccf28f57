import { env, exports } from "cloudflare:workers";
import { expect, test } from "vitest";
import { openClient } from "../../src/store/client.ts";
import { readEvent } from "../../src/store/statements/read-event.ts";
import { timings } from "../../src/core/timings.ts";
import { generic } from "../../src/providers/generic.ts";
import { sign } from "../../src/schemes/scheme.ts";

test("one signed webhook commits its effect", async () => {
  const body = new TextEncoder().encode(JSON.stringify({ id: "evt_1", type: "credit", userId: "u1", amount: 5 }));
  const url = "http://localhost/webhooks/generic";
  const headers = await sign(generic().scheme, { method: "POST", url, id: "evt_1", timestampMs: Date.now(), body }, "generic-test-secret");
  const response = await exports.default.fetch(url, { method: "POST", body, headers });
  expect([response.status, await response.json()]).toEqual([202, { status: "queued", eventId: "evt_1" }]);
  const { db } = openClient(env.HYPERDRIVE, timings("fast"));
  await expect.poll(async () => (await readEvent(db, { source: "generic", id: "evt_1" }))?.status, { timeout: 10_000 }).toBe("completed");
});
