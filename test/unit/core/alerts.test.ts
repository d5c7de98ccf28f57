/** What is worth an alert, and its words: hostile text stays text, a thousand are one message. */
import { describe, expect, test } from "vitest";
import { type Alert, alertText, backlogAlerts, failureAlerts, message, silenceAlerts, type Telling, type Waiting } from "../../../src/core/alerts.ts";

const NOW_MS = Date.UTC(2026, 10, 30, 3, 0);
const MINUTE_MS = 60_000;
const LIMIT_MS = 15 * MINUTE_MS;
const quiet: Waiting = { late: 0, lateSinceMs: null, open: 0, newestMs: NOW_MS - MINUTE_MS };
const kind = { fingerprint: "0fa1c2d3e400", source: "stripe", type: "charge.failed", title: "numeric field overflow", count: 132 };
const [failure] = failureAlerts([kind]);
const told = (alert: Alert, more: Partial<Telling> = {}): Telling => ({ alert, isOver: false, isKnown: false, ...more });

describe("a backlog", () => {
  test("is work that nobody has tried for longer than the limit", () => {
    expect(backlogAlerts({ ...quiet, late: 3, lateSinceMs: NOW_MS - LIMIT_MS - 1, open: 9 }, 5, LIMIT_MS, NOW_MS)).toEqual([
      { kind: "backlog", key: "ledger", waiting: 3, sinceMs: NOW_MS - LIMIT_MS - 1 },
    ]);
  });

  test("is a queue that nothing takes: more messages than rows, and no new row for longer than the limit", () => {
    const stopped = { ...quiet, open: 2, newestMs: NOW_MS - LIMIT_MS - 1 };
    expect(backlogAlerts(stopped, 3, LIMIT_MS, NOW_MS)).toEqual([{ kind: "backlog", key: "queue", waiting: 3, sinceMs: NOW_MS - LIMIT_MS - 1 }]);
    expect(backlogAlerts(stopped, 2, LIMIT_MS, NOW_MS)).toEqual([]);
    expect(backlogAlerts({ ...stopped, newestMs: NOW_MS - LIMIT_MS }, 3, LIMIT_MS, NOW_MS)).toEqual([]);
    expect(backlogAlerts({ ...stopped, newestMs: null }, 3, LIMIT_MS, NOW_MS)).toEqual([]);
  });

  test("is none while everything goes its way", () => {
    expect(backlogAlerts(quiet, 50, LIMIT_MS, NOW_MS)).toEqual([]);
  });
});

test("a silence is against a habit only where both weeks before had events", () => {
  const habit = { source: "stripe", lastMs: NOW_MS - 60 * MINUTE_MS, weekAgo: 10, twoWeeksAgo: 10 };
  expect(silenceAlerts([habit])).toEqual([{ kind: "source_silent", key: "stripe", sinceMs: habit.lastMs, weekAgo: 10, twoWeeksAgo: 10 }]);
  expect(
    silenceAlerts([
      { ...habit, weekAgo: 9 },
      { ...habit, twoWeeksAgo: 9 },
    ]),
  ).toEqual([]);
});

describe("the message", () => {
  const console = "https://hooks.example.com/admin";

  test("says what, how many, and where to look", () => {
    expect(message([told(failure as Alert)], console).text).toBe(
      'Holdfast\nNew failure: 132 × "numeric field overflow" of stripe, charge.failed. https://hooks.example.com/admin/events?fingerprint=0fa1c2d3e400',
    );
    expect(message([told(failure as Alert)], null).text).toBe('Holdfast\nNew failure: 132 × "numeric field overflow" of stripe, charge.failed.');
  });

  test("says that something is over, and whether anybody knew of it", () => {
    expect(message([told(failure as Alert, { isOver: true, isKnown: true })], null).text).toContain("Recovered. New failure");
    expect(message([told(failure as Alert, { isOver: true })], null).text).toMatch(/charge\.failed: over already\.$/);
  });

  test("of a thousand is one, and short", () => {
    const many = Array.from({ length: 1_000 }, (_, n) => told({ ...(failure as Alert), key: `${n}` } as Alert));
    const { text } = message(many, console);
    expect(text).toContain("And 990 more: https://hooks.example.com/admin.");
    expect(text.length).toBeLessThan(3_000);
  });

  test.each([
    "<!channel> look",
    "<https://evil.example|your console>",
    "@here *bold* `code` ~x~ _y_ #general",
    "a\nRecovered. All is well\u2028.",
    "\u202Etxt.exe",
    "x".repeat(5_000),
    "\ud800",
  ])("keeps %j as text: it calls nobody, links nowhere, makes no line of its own", (text) => {
    const alerts: readonly Alert[] = [
      ...failureAlerts([{ ...kind, type: text, title: text, source: text }]),
      { kind: "source_silent", key: text, sinceMs: NOW_MS, weekAgo: 10, twoWeeksAgo: 10 },
    ];
    const said = message(
      alerts.map((alert) => told(alert)),
      null,
    ).text;
    expect(said.split("\n")).toHaveLength(1 + alerts.length);
    expect(said).not.toMatch(/[<>]/);
    expect(said).not.toMatch(/[@#*_~`|](?!\u2060)/);
    expect(said).not.toMatch(/[\u2028\u202E]/);
    expect(said.isWellFormed()).toBe(true);
    expect(said.length).toBeLessThan(2_000);
    for (const alert of alerts) expect(alertText(alert)).not.toContain("\n");
  });
});
