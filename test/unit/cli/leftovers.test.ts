import { describe, expect, it } from "vitest";
import { judge } from "../../../cli/dev/ownership.ts";
import { chooseAccount } from "../../../cli/postgres/binaries.ts";
import { judgePidFile } from "../../../cli/postgres/leftover.ts";
import { identify, isAlive } from "../../../cli/processes.ts";

describe("judgePidFile: a postmaster.pid of an earlier run", () => {
  const text = "4711\n/data\n1795980748\n54329\n";
  it.each([
    ["no file", null, true, { kind: "none" }],
    ["a Postgres of this folder that outlived its owner", text, true, { kind: "running", pid: 4711 }],
    ["a dead pid, a zombie, or a stranger with that pid", text, false, { kind: "stale" }],
    ["a file cut short", "", true, { kind: "stale" }],
    ["nonsense", "postgres\n", true, { kind: "stale" }],
    ["never a group (a negative pid)", "-4711\n", true, { kind: "stale" }],
  ] as const)("%s", (_name, given, serves, expected) => {
    expect(judgePidFile(given, () => serves)).toEqual(expected);
  });
});

describe("judge: pids.json of a data folder", () => {
  const launcher = { pid: 10, startedAt: "a" };
  const npm = { pid: 9, startedAt: "b" };
  const wrangler = { pid: 20, startedAt: "c" };
  const file = JSON.stringify({ launcher, callers: [npm], wrangler });
  const alive =
    (...pids: number[]) =>
    ({ pid }: { readonly pid: number }): boolean =>
      pids.includes(pid);

  it("is free without a file", () => expect(judge(null, alive())).toEqual({ kind: "free" }));
  it("is taken while the launcher and whoever started it live", () => expect(judge(file, alive(9, 10, 20))).toEqual({ kind: "taken", pid: 10 }));
  it("is about to be free once npm was killed", () => expect(judge(file, alive(10, 20))).toEqual({ kind: "stopping", pid: 10 }));
  it("names the orphans' group when the launcher is dead, whoever has its pid now", () => {
    expect(judge(file, alive(9, 20))).toEqual({ kind: "leftover", wranglerGroup: 20 });
  });
  it("takes a half-written file for a leftover", () => expect(judge('{"launcher":', alive(10))).toEqual({ kind: "leftover", wranglerGroup: null }));
});

describe("a process is its pid and its start", () => {
  it("knows this one, and not one with the same pid that began at another time", () => {
    const own = identify(process.pid);
    expect(own).not.toBeNull();
    expect(isAlive(own ?? { pid: 0, startedAt: "" })).toBe(true);
    expect(isAlive({ pid: process.pid, startedAt: "before" })).toBe(false);
    expect(identify(2 ** 30)).toBeNull();
  });
});

describe("chooseAccount: Postgres refuses root", () => {
  const nobody = { name: "nobody", uid: 65_534, gid: 65_534 };
  const postgres = { name: "postgres", uid: 101, gid: 104 };
  it.each([
    ["an ordinary user is itself", 1000, null, [nobody], { kind: "current" }],
    ["Windows has no uids", null, null, [], { kind: "current" }],
    ["root prefers postgres", 0, null, [nobody, postgres], { kind: "other", uid: 101, gid: 104 }],
    ["root takes nobody else", 0, null, [nobody], { kind: "other", uid: 65_534, gid: 65_534 }],
    ["data that exist keep their owner", 0, { uid: 65_534, gid: 65_534 }, [postgres], { kind: "other", uid: 65_534, gid: 65_534 }],
    ["data of root's are given to an account", 0, { uid: 0, gid: 0 }, [postgres], { kind: "other", uid: 101, gid: 104 }],
    ["nobody to run as", 0, null, [], null],
  ] as const)("%s", (_name, uid, owner, passwd, expected) => {
    expect(chooseAccount(uid, owner, passwd)).toEqual(expected);
  });
});
