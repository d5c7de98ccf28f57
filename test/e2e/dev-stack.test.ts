/** `npm run dev` for real: the whole path, and every way in which it may end. Slow, so each start is used for as much as it can show. */
import { createServer } from "node:net";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { readVars } from "../../cli/dev-vars.ts";
import { until } from "../../cli/processes.ts";
import { loadSources } from "../../cli/sources.ts";
import type { SendReport } from "../../cli/send/send.ts";
import { generic } from "../../src/providers/generic.ts";
import { sign } from "../../src/schemes/scheme.ts";
import { newDataDir, runCommand, startDevStack, type DevJson, type DevStack } from "../support/dev-stack.ts";

const dataDir = newDataDir();
let running: DevStack | null = null;
const start = (...args: string[]): DevStack => (running = startDevStack(dataDir, ...args));
const send = (...args: string[]): SendReport & { readonly code: number | null } => {
  const { code, stdout, stderr } = runCommand("send", ...args, "--data-dir", dataDir, "--json");
  if (stdout === "") throw new Error(stderr);
  return { code, ...(JSON.parse(stdout) as SendReport) };
};
const leftBehind = async (stack: DevStack): Promise<number[]> => {
  await until(() => stack.processes().length === 0, 5_000);
  return stack.processes();
};

afterEach(async () => {
  await running?.kill();
  running = null;
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe("npm run dev", () => {
  it("takes signed events from the edge to committed rows, once each, and stops every part on Ctrl-C", async () => {
    const stack = start();
    const instance = await stack.ready();
    const { url, varsFile } = instance;
    expect(statSync(varsFile).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, "dev.json")).mode & 0o777).toBe(0o600);
    expect(await until(() => stack.output.includes("npm run send -- generic"), 5_000)).toBe(true);
    expect(stack.output).toContain(`${url}/webhooks/stripe`);

    expect(send("generic", "--user", "e2e", "--count", "20", "--duplicates", "2", "--concurrency", "10", "--invalid", "3")).toMatchObject({
      code: 0,
      deliveries: 63,
      unexpected: 0,
      events: { completed: 20, skipped: 0, failed: 0, pending: 0 },
      effects: 20,
    });
    for (const source of Object.keys(await loadSources()).filter((name) => name !== "generic"))
      expect(send(source)).toMatchObject({ code: 0, unexpected: 0, events: { failed: 0, pending: 0 } });

    // One thing is wrong with each: refused, and that is what is asked for. The old and the new secret are both right.
    for (const flag of ["--tamper", "--stale", "--future", "--wrong-secret"])
      expect(send("stripe", flag)).toMatchObject({ code: 0, answers: { rejected: 1 }, unexpected: 0, acknowledged: 0 });
    for (const flag of ["--tamper", "--wrong-secret"]) expect(send("github", flag)).toMatchObject({ code: 0, answers: { rejected: 1 } });
    expect(runCommand("send", "github", "--stale", "--data-dir", dataDir)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("GitHub signs no time") as string,
    });
    expect(runCommand("send", "stripe", "--rotate", "--data-dir", dataDir)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("STRIPE_WEBHOOK_SECRET_NEXT is not set") as string,
    });
    expect(runCommand("send", "stripe", "--stale", "--future", "--data-dir", dataDir)).toMatchObject({ code: 2 });

    // The handler refuses this one for good: a dead letter, which a replay opens again, once.
    const id = `e2e-dead-${Date.now()}`;
    await expectDeadLetter(instance, id);
    // What happened to it, in words, as JSON and in bytes.
    const told = runCommand("trace", id, "--data-dir", dataDir);
    expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining(`npm run replay -- generic ${id}`) as string });
    expect(told.stdout).toContain("Became a dead letter: permanent");
    const { stdout: json } = runCommand("trace", id, "--json", "--data-dir", dataDir);
    expect(JSON.parse(json)).toMatchObject({ source: "generic", id, status: "failed", attempts: 1, claim: { status: "failed" } });
    expect(JSON.parse(runCommand("trace", id, "--payload", "--data-dir", dataDir).stdout)).toMatchObject({ id });
    expect(runCommand("trace", "no-such-event", "--data-dir", dataDir)).toMatchObject({ code: 1 });
    expect(runCommand("trace", id, "--json", "--payload", "--data-dir", dataDir)).toMatchObject({ code: 2 });

    expect(runCommand("replay", "generic", id, "--reason", "the user is there now", "--data-dir", dataDir)).toMatchObject({ code: 0 });
    expect(runCommand("replay", "generic", "no-such-event", "--data-dir", dataDir)).toMatchObject({ code: 1 });
    expect(runCommand("replay", "generic", "--data-dir", dataDir)).toMatchObject({ code: 2 });

    expect(runCommand("dev", "--data-dir", dataDir)).toMatchObject({ code: 1, stderr: expect.stringContaining("another dev stack") as string });
    expect(await stack.stop("SIGINT")).toEqual({ code: 0, signal: null });
    expect(await leftBehind(stack)).toEqual([]);
    expect(() => statSync(join(dataDir, "dev.json"))).toThrow();
  });

  it("recovers what a killed run left: orphans, a stale pid file, and events that the local queue forgot", async () => {
    const first = start();
    await first.ready();
    expect(send("generic", "--id", "before-the-kill").code).toBe(0);
    await first.abandon();
    expect(first.processes().length).toBeGreaterThan(0);

    const second = start();
    await second.ready();
    expect(second.output).toContain("ending what an earlier run left behind");
    expect(send("generic", "--id", "before-the-kill")).toMatchObject({ code: 0, answers: { done: 1 }, effects: 1 });
    // Acknowledged, and killed before anything can have settled it.
    const { acknowledged } = send("generic", "--user", "cut", "--count", "30", "--concurrency", "30", "--wait", "0");
    await second.kill();

    const third = start();
    await third.ready();
    expect(acknowledged).toBe(30);
    expect(await until(() => /re-sending \d+ event|no event was left/.test(third.output), 30_000)).toBe(true);
    expect(await third.stop("SIGTERM")).toEqual({ code: 0, signal: null });
    expect(await leftBehind(third)).toEqual([]);
  });

  it.each([
    ["Postgres", (stack: DevStack) => stack.postgresPid()],
    ["wrangler", (stack: DevStack) => stack.wranglerPid()],
  ])("stops every part, with a sentence, when %s is killed", async (name, pidOf) => {
    const stack = start();
    await stack.ready();
    process.kill(pidOf(stack), "SIGKILL");
    expect(await stack.ended()).toEqual({ code: 1, signal: null });
    expect(stack.output).toMatch(new RegExp(`${name}.* ended by itself`));
    expect(await leftBehind(stack)).toEqual([]);
  });

  it("says which port is in use when it was asked for that one", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    try {
      expect(runCommand("dev", "--data-dir", dataDir, "--port", String(port))).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`port ${port} is in use`) as string,
      });
    } finally {
      server.close();
    }
  });

  it("says what is wrong with a --database-url", () => {
    expect(runCommand("dev", "--data-dir", dataDir, "--database-url", "postgres://me@127.0.0.1/db")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("has no password") as string,
    });
  });
});

/** A body that no schema of the example accepts. */
async function expectDeadLetter({ url, varsFile, adminToken }: DevJson, id: string): Promise<void> {
  const body = new TextEncoder().encode(JSON.stringify({ id, type: "balance.credit", userId: "e2e", amount: "not a number" }));
  const headers = { "content-type": "application/json" };
  const outgoing = { method: "POST", url: `${url}/webhooks/generic`, headers, id, timestampMs: Date.now(), body };
  const signed = await sign(generic().scheme, outgoing, { secret: readVars(varsFile)["WEBHOOK_SECRET"] ?? "", privateKey: null });
  const response = await fetch(signed.url, { ...signed, body });
  expect(response.status).toBe(202);
  const status = async (): Promise<unknown> => {
    const answer = await fetch(`${url}/admin/api/events/generic/${id}`, { headers: { authorization: `Bearer ${adminToken}` } });
    return answer.ok ? (await answer.json<{ status: unknown }>()).status : null;
  };
  expect(await until(async () => (await status()) === "failed", 30_000, 250)).toBe(true);
}
