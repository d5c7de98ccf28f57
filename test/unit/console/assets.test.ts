/** What is served is what its sources make: nobody has changed one without the other. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { consoleAssets } from "../../../cli/console-assets.ts";
import { assetPath, assetResponse } from "../../../src/console/assets.ts";

test("the console's style and script are those of their sources", async () => {
  for (const { path, module } of await consoleAssets())
    expect(readFileSync(path, "utf8"), `run npm run generate -- --console for ${path}`).toBe(module);
});

test.each([
  ["style", "text/css; charset=utf-8"],
  ["script", "text/javascript; charset=utf-8"],
] as const)("the %s is kept for good under its content's name, and under no other", async (asset, contentType) => {
  const name = assetPath(asset).split("/").at(-1) ?? "";
  const response = assetResponse(name);
  expect(response?.headers.get("content-type")).toBe(contentType);
  expect(response?.headers.get("cache-control")).toContain("immutable");
  expect((await response?.text())?.length).toBeGreaterThan(1_000);
  expect(assetResponse(name.replace(/\.[0-9a-f]{12}\./, ".000000000000."))).toBeNull();
  expect(assetResponse("constructor")).toBeNull();
});
