import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { findChromium } from "../../../cli/checks/chromium.ts";
import { browserStep } from "../../../cli/checks/steps.ts";

const folder = mkdtempSync(join(tmpdir(), "holdfast-chromium-"));
const program = join(folder, "chromium");
writeFileSync(program, "");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the browser of this machine", () => {
  it("is the first program of that name in PATH", () => {
    chmodSync(program, 0o755);
    expect(findChromium({ PATH: `/nowhere:${folder}` })).toBe(program);
  });
  it("is none that cannot be run, and none but the one that CHROMIUM names", () => {
    chmodSync(program, 0o644);
    expect(findChromium({ CHROMIUM: program })).toBeNull();
    chmodSync(program, 0o755);
    expect(findChromium({ CHROMIUM: program })).toBe(program);
    expect(findChromium({ CHROMIUM: "/nowhere/chromium", PATH: folder })).toBeNull();
  });
});

describe("without a browser", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it("the tests are skipped with the reason, and counted", async () => {
    vi.stubEnv("CHROMIUM", "/nowhere/chromium");
    vi.stubEnv("CI", undefined);
    const said = vi.spyOn(console, "log").mockReturnValue();
    expect(await browserStep().run()).toEqual({ passed: 0, failed: 0, skipped: 1 });
    expect(said).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^browser tests skipped: there is no Chromium.*apt-get install chromium/));
  });
  it("CI fails: there it is installed", async () => {
    vi.stubEnv("CHROMIUM", "/nowhere/chromium");
    vi.stubEnv("CI", "true");
    vi.spyOn(console, "log").mockReturnValue();
    expect(await browserStep().run()).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});
