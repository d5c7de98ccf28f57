/** `npm run tail`, on the objects that wrangler prints (wrangler-tail.jsonl: the platform's TailItem, one an invocation) and on the local log. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LogFile } from "../../../../cli/dev/log-file.ts";
import { readable } from "../../../../cli/log/fact.ts";
import { type LogFilter, select } from "../../../../cli/log/filter.ts";
import { plain } from "../../../../cli/log/plain.ts";
import { LogReader } from "../../../../cli/log/reader.ts";
import { until } from "../../../../cli/processes.ts";
import { ROOT } from "../../../../cli/root.ts";

const RECORDED = readFileSync(join(import.meta.dirname, "wrangler-tail.jsonl"), "utf8");
const BOOTSTRAP = join(ROOT, "cli", "bootstrap.mjs");

function shown(log: string, filter: LogFilter = {}): string[] {
  const reader = new LogReader();
  const groups = [...log.split("\n").flatMap((line) => reader.take(line)), ...reader.end()];
  return groups.flatMap((group) => select(group, filter)).map((line) => (line.kind === "text" ? line.text : readable(line.fact)));
}

describe("wrangler's objects", () => {
  test("read as the Worker's lines, and what the Worker could not say of its end", () => {
    expect(shown(RECORDED).map((line) => line.split("\n", 1)[0])).toEqual([
      "10:53:20   delivery stripe evt_123 payment_intent.succeeded queued 202 ms=body:1,verify:1,claim:12,total:15",
      "10:53:20 ! delivery github rejected 401 reason=signature_mismatch",
      "10:53:20 ✗ outcome stripe evt_123 payment_intent.succeeded failed error=numeric field overflow\\u001b[2J\\u009b31m",
      "10:53:20   outcome stripe evt_456 charge.refunded completed ms=wait:900,handler:4,commit:3,total:930",
      '(log) a handler\'s own {"total":3}',
      "10:53:20 ✗ worker_ended exceededMemory trigger=queue events, 1 messages ms=wall:5021,cpu:311",
      "10:53:20 ✗ worker_exception trigger=cron */5 * * * * error=TypeError: x is not a function",
      "10:53:20 ! worker_ended canceled trigger=EventClaim.deliver ms=wall:31,cpu:4",
      "! tail_overload hint=Tail is currently in sampling mode due to the high volume of messages.",
    ]);
  });

  test("read the same where each is one line", () => {
    const lines = RECORDED.trimEnd()
      .split(/(?<=^\})\n/m)
      .map((one) => JSON.stringify(JSON.parse(one)));
    expect(lines).toHaveLength(8);
    expect(shown(lines.join("\n"))).toEqual(shown(RECORDED));
  });

  test("show nothing of a URL's query", () => {
    const failed = RECORDED.replace('"outcome": "ok"', '"outcome": "exceededCpu"');
    expect(shown(failed, { source: "stripe" }).join("\n")).toContain("worker_ended stripe exceededCpu trigger=POST /webhooks/stripe");
    expect(shown(failed).join("\n")).not.toContain("in-the-url-77");
  });

  test("that were cut off are shown as they came, and the next is read", () => {
    const [first = ""] = RECORDED.split("\n}\n");
    const seen = shown(`${first}\n${RECORDED}`);
    expect(seen.slice(0, first.split("\n").length)).toEqual(first.split("\n"));
    expect(seen.slice(first.split("\n").length)).toEqual(shown(RECORDED));
  });
});

describe("filters", () => {
  test("--source and --event keep what is about them, and failures that may be", () => {
    expect(shown(RECORDED, { event: "evt_456" }).map((line) => line.slice(9, 30).trim())).toEqual([
      expect.stringContaining("outcome stripe evt"),
      expect.any(String),
      expect.stringContaining("worker_ended"),
      expect.stringContaining("worker_exception"),
      expect.stringContaining("worker_ended"),
    ]);
    expect(shown(RECORDED, { source: "github" }).join("\n")).not.toContain("stripe");
  });

  test("--failed keeps warnings and errors", () => {
    const lines = shown(RECORDED, { failed: true }).filter((line) => !line.startsWith("(log)"));
    expect(lines).toHaveLength(6);
    for (const line of lines) expect(line).toMatch(/^(\d\d:\d\d:\d\d )?[✗!]/u);
  });

  test("a foreign line is never lost", () => {
    expect(shown("hello\n{ not JSON\n[1]\n", { source: "stripe", failed: true })).toEqual(["hello", "{ not JSON", "[1]"]);
  });
});

test("an escape sequence in an id, a name or a stack never reaches the terminal", () => {
  const hostile = "\u001b[31m\u009b2J\r\n\u202e\u2066\u0000\ud800";
  const line = readable({
    event: hostile,
    source: hostile,
    eventId: hostile,
    error: hostile,
    stack: `a\n${hostile}`,
    [hostile]: [hostile],
    counts: { [hostile]: 1 },
  });
  expect(line.replaceAll("\n", "")).toMatch(/^[ -~]*$/);
  const json = JSON.stringify({ id: hostile });
  expect(plain(json)).toMatch(/^[ -~]*$/);
  expect(JSON.parse(plain(json))).toEqual(JSON.parse(json));
});

describe("the command", () => {
  const run = (input: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [BOOTSTRAP, "tail", ...args], {
      cwd: ROOT,
      encoding: "utf8",
      input,
      timeout: 30_000,
    });
    return { code: status, stdout, stderr };
  };

  test("reads a log from standard input, without colour where nobody looks", () => {
    const { code, stdout, stderr } = run(RECORDED, "--stdin");
    expect({ code, stderr, lines: stdout.trimEnd().split("\n") }).toEqual({
      code: 0,
      stderr: "",
      lines: shown(RECORDED).flatMap((line) => line.split("\n")),
    });
  });

  test("--json gives facts to stdout and the rest to stderr, and reads what it wrote", () => {
    const { stdout, stderr } = run(RECORDED, "--stdin", "--json");
    expect(stderr).toBe('(log) a handler\'s own {"total":3}\n');
    expect(run(stdout, "--stdin").stdout).toBe(run(RECORDED, "--stdin").stdout.replace(stderr, ""));
  });

  test("refuses what it cannot do with 2, and says where there is no local log with 1", () => {
    expect(run("", "--stdin", "--env", "production")).toMatchObject({ code: 2, stderr: expect.stringContaining("--env production") as string });
    expect(run("", "--stdin", "--local").code).toBe(2);
    expect(run("", "--local", "--data-dir", "/nowhere")).toMatchObject({ code: 1, stderr: expect.stringContaining("npm run dev") as string });
  });

  test("--local shows the last lines and then what comes, over a restart of the stack, until Ctrl-C", async () => {
    const folder = mkdtempSync(join(tmpdir(), "holdfast-tail-"));
    const fact = (eventId: string): string => JSON.stringify({ level: "info", event: "delivery", source: "stripe", eventId });
    let log = new LogFile(folder);
    expect(statSync(join(folder, "dev.log")).mode & 0o077).toBe(0);
    for (const id of ["one", "two", "three"]) log.write(fact(id));
    const child = spawn(process.execPath, [BOOTSTRAP, "tail", "--local", "--data-dir", folder, "--lines", "2"], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let seen = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (seen += text));
    const ended = new Promise((resolve) => child.once("close", resolve));
    const ids = (): string[] => [...seen.matchAll(/stripe (\w+)/g)].map((match) => match[1] ?? "");
    expect(await until(() => ids().length === 2, 20_000)).toBe(true);
    log.write(fact("four"));
    expect(await until(() => ids().length === 3, 20_000)).toBe(true);
    log = new LogFile(folder);
    log.write(fact("five"));
    expect(await until(() => ids().length === 4, 20_000)).toBe(true);
    child.kill("SIGINT");
    expect([await ended, ids()]).toEqual([0, ["two", "three", "four", "five"]]);
    rmSync(folder, { recursive: true });
  }, 60_000);
});
