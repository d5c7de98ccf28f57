/** The console's pages as text: every place that outsiders or operators write to is shown as text, and each state has its page. */
import { describe, expect, test } from "vitest";
import { readFilter } from "../../../src/console/filter.ts";
import { Audit } from "../../../src/console/pages/audit.tsx";
import { Events } from "../../../src/console/pages/events.tsx";
import { Failures } from "../../../src/console/pages/failures.tsx";
import { Overview } from "../../../src/console/pages/overview.tsx";
import { ReplayNew } from "../../../src/console/pages/replay-new.tsx";
import { Replay } from "../../../src/console/pages/replay.tsx";
import { Replays } from "../../../src/console/pages/replays.tsx";
import { SourcesPage } from "../../../src/console/pages/sources.tsx";
import { Story } from "../../../src/console/pages/story.tsx";
import { NotFound, Trouble } from "../../../src/console/pages/trouble.tsx";
import { readReplayForm } from "../../../src/console/replay-form.ts";
import { alertText } from "../../../src/core/alerts.ts";
import type { Operator } from "../../../src/core/operators.ts";
import type { AlertInWords } from "../../../src/operators/see-alerts.ts";
import { audit, events, groups, HOSTILE, hostileStory, NOW_MS, operator, quietStats, run, sources, stats, story, summary } from "./fixtures.ts";

const list = { given: {}, problems: [], next: null, isLater: false, sources: ["stripe"] } as const;
const page = (child: unknown): string => String(child);

const alertsOf = (text: string): readonly AlertInWords[] =>
  (
    [
      { kind: "source_silent", key: text, sinceMs: NOW_MS, weekAgo: 10, twoWeeksAgo: 10 },
      { kind: "backlog", key: "ledger", waiting: 12, sinceMs: NOW_MS },
    ] as const
  ).map((alert) => ({ alert, openedAtMs: NOW_MS, closedAtMs: null, toldAtMs: null, text: alertText(alert) }));

/** Each page with `text` wherever somebody else's text can stand. */
function hostilePages(text: string): Readonly<Record<string, string>> {
  const who: Operator = { name: text, via: "session" };
  const group = groups[0];
  const source = sources[1];
  if (group === undefined || source === undefined) throw new Error("the fixtures are empty");
  const kind = { ...group, type: text, title: text, exampleId: text };
  const query = { id: text, status: text, source: text, type: text, from: text, to: text, after: text, fingerprint: text, what: text, rate: text };
  const { filter, problems } = readFilter(query);
  const { order, problems: unread } = readReplayForm(query);
  const wish = { ...order, filter: { idPrefix: text, type: text, source: text } };
  const plan = { matched: 3, permanent: 1, withoutBytes: 0, willReplay: 2, seconds: 1 };
  const hostileRun = { ...run, actor: text, reason: text, lastError: text, filter: wish.filter };
  const refusal = { title: "Still pending", detail: text, form: "discard", reason: text } as const;
  return {
    overview: page(Overview({ operator: who, stats, groups: [kind], alerts: alertsOf(text), hours: 24, nowMs: NOW_MS })),
    events: page(
      Events({ ...list, operator: who, filter, given: query, problems, events: [summary({ id: text, type: text, error: text, reason: text })] }),
    ),
    story: page(Story({ operator: who, story: hostileStory(text), nowMs: NOW_MS, flash: null, refusal })),
    failures: page(Failures({ operator: who, groups: [kind], source: text, problems: [text], sources: [text], nowMs: NOW_MS })),
    replays: page(Replays({ operator: who, runs: [hostileRun] })),
    plan: page(ReplayNew({ operator: who, order: wish, given: { ...query, reason: text }, plan, problems: unread, sources: [text] })),
    replay: page(Replay({ operator: who, run: hostileRun, flash: null, refusal })),
    sources: page(SourcesPage({ operator: who, sources: [{ ...source, hints: [text] }], nowMs: NOW_MS, isCounted: false })),
    audit: page(
      Audit({
        operator: who,
        entries: [{ id: 1, atMs: NOW_MS, actor: text, action: "discard", source: "x", eventId: text, details: { reason: text, [text]: text } }],
        next: text,
        isLater: true,
      }),
    ),
    notFound: page(NotFound({ operator: who, what: text })),
    trouble: page(Trouble({ operator: who, title: "Too slow", detail: text, retry: "/admin" })),
  };
}

/** Tags as a browser finds them; what stands between an attribute's quotes is its value, whatever it looks like. */
const TAG = /<(\/?[a-zA-Z][^\s/>]*)((?:\s+[^\s"'>/=]+(?:="[^"]*")?)*)\s*\/?>/g;
const ATTRIBUTE = /\s([^\s"'>/=]+)(?:="[^"]*")?/g;

function partsOf(html: string) {
  const tags = [...html.matchAll(TAG)];
  return {
    names: tags.map(([, name = ""]) => name),
    attributes: tags.flatMap(([, , given = ""]) => [...given.matchAll(ATTRIBUTE)].map(([, name = ""]) => name)),
    text: html.replaceAll(TAG, "").replace(/^<!doctype html>/i, ""),
  };
}

test.each(HOSTILE)("%j stays text on every page", (text) => {
  const harmless = hostilePages("harmless");
  for (const [name, html] of Object.entries(hostilePages(text))) {
    const { names, attributes, text: shown } = partsOf(html);
    const known = partsOf(harmless[name] ?? "");
    expect([name, names.filter((one) => !known.names.includes(one))]).toEqual([name, []]);
    expect([name, names.filter((one) => /^(?:script|img|svg|style)$/.test(one)).length]).toEqual([
      name,
      known.names.filter((one) => /^(?:script|img|svg|style)$/.test(one)).length,
    ]);
    expect([name, attributes.filter((one) => !known.attributes.includes(one))]).toEqual([name, []]);
    expect([name, attributes.filter((one) => /^on|^style$|^srcdoc$/i.test(one))]).toEqual([name, []]);
    expect([name, shown.includes("<")]).toEqual([name, false]);
    expect([name, /(?:href|src|action)="\s*javascript:/i.test(html)]).toEqual([name, false]);
    // Nothing turns the line around, and so makes it read as something else.
    expect([name, shown.includes("\u202E")]).toEqual([name, false]);
  }
});

describe("what was typed", () => {
  test("and not understood stays in its field", () => {
    const given = { from: "yesterday", status: "great", id: "evt_" };
    const { filter, problems } = readFilter(given);
    const html = page(Events({ ...list, operator, filter, given, problems, events: [] }));
    expect(html).toContain('value="yesterday"');
    expect(html).toMatch(/<option value="great" selected="">great<\/option>/);
    expect(html).toContain('value="evt_"');
  });

  test("for an order that was refused stays in that order's field alone", () => {
    const refusal = { title: "Still pending", detail: "wait", form: "erase", reason: "request 12" } as const;
    const html = page(Story({ operator, story, nowMs: NOW_MS, flash: null, refusal }));
    expect(html.match(/value="request 12"/g)).toHaveLength(1);
    expect(html).toMatch(/id="field-erase-reason"[^>]*value="request 12"/);
  });
});

describe("where there is nothing", () => {
  test("each page says so, and what to do", () => {
    const empty = { ...list, operator, events: [], filter: {} };
    expect(page(Events(empty))).toContain("No events yet.");
    expect(page(Events({ ...empty, filter: { source: "stripe" } }))).toContain("No event matches.");
    expect(page(Events({ ...empty, isLater: true }))).toContain("No older events.");
    expect(page(Failures({ operator, groups: [], source: undefined, problems: [], sources: [], nowMs: NOW_MS }))).toContain("No dead letters.");
    expect(page(Replays({ operator, runs: [] }))).toContain("No replays of groups yet.");
    expect(page(Audit({ operator, entries: [], next: null, isLater: false }))).toContain("Nothing was ordered yet.");
    expect(page(SourcesPage({ operator, sources: [], nowMs: NOW_MS, isCounted: true }))).toContain("No sources.");
    expect(page(Overview({ operator, stats: quietStats, groups: [], alerts: [], hours: 1, nowMs: NOW_MS }))).toContain("<h1>Overview</h1>");
  });
});

describe("a replay of a group", () => {
  const plan = { matched: 40, permanent: 10, withoutBytes: 2, willReplay: 28, seconds: 3 };

  test("shows its plan before the order, and the order carries the same conditions", () => {
    const given = { what: "dead", source: "stripe", type: "charge.failed", rate: "20", limit: "500", dry: "yes" };
    const { order, problems } = readReplayForm(given);
    expect(problems).toEqual([]);
    const html = page(ReplayNew({ operator, order, given, plan, problems, sources: ["stripe"] }));
    const form = html.slice(html.indexOf('method="post" action="/admin/replays"'));
    const hidden = Object.fromEntries(
      [...form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = "", value]) => [name, value]),
    );
    expect(readReplayForm(hidden).order).toEqual(order);
    for (const figure of ["40", "10", "2", "28"]) expect(html).toContain(`<dd>${figure === "28" ? "<strong>28</strong>" : figure}</dd>`);
  });

  test("offers no order where nothing would be replayed", () => {
    const { order } = readReplayForm({});
    const html = page(ReplayNew({ operator, order, given: {}, plan: { ...plan, willReplay: 0 }, problems: [], sources: [] }));
    expect(html).toContain("Nothing would be replayed.");
    expect(html).not.toContain("Start replay");
  });

  test("can be cancelled while it runs, and not afterwards", () => {
    const props = { operator, flash: null, refusal: null };
    expect(page(Replay({ ...props, run }))).toContain("Cancel replay");
    for (const status of ["completed", "cancelled"] as const)
      expect(page(Replay({ ...props, run: { ...run, status } }))).not.toContain("Cancel replay");
  });
});

test("an audit entry leads to what it was about", () => {
  const html = page(Audit({ operator, entries: audit, next: null, isLater: false }));
  expect(html).toContain('href="/admin/events/stripe/evt_1"');
  expect(html).toContain('href="/admin/replays/r-1"');
});

test("events show what sets them apart: a replay, given-up afters, other bytes", () => {
  const html = page(Events({ ...list, operator, filter: {}, events, next: "older" }));
  expect(html).toContain("cursor=older");
  for (const { id } of events) expect(html).toContain(id);
});
