/** An order from a terminal has somebody's name in the audit. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { adminClient } from "../../../cli/admin-client.ts";
import { operatorNameIn } from "../../../cli/operator-name.ts";

test("is the one that was given, else the account's, and none that a header cannot hold", () => {
  expect(operatorNameIn({ HOLDFAST_OPERATOR: " Ada L. ", USER: "root" })).toBe("Ada L.");
  expect(operatorNameIn({ HOLDFAST_OPERATOR: "", USER: "ada" })).toBe("ada");
  expect(operatorNameIn({ USER: "Zoë\n", USERNAME: "zoe" })).toBe("zoe");
  expect(operatorNameIn({})).toBeNull();
  expect(() => operatorNameIn({ HOLDFAST_OPERATOR: "Zoë\n" })).toThrow("has to be plain ASCII");
});

test.each([["ada"], [null]])("%j goes along with every request", async (name) => {
  const heard: unknown[] = [];
  const server = createServer((request, response) => {
    heard.push(request.headers["holdfast-operator"], request.headers.authorization);
    response.end("{}");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await adminClient(`http://127.0.0.1:${port}`, "a-token", name).replays.$post({ json: { filter: { status: "failed" } } });
  server.close();
  expect(heard).toEqual([name ?? undefined, "Bearer a-token"]);
});
