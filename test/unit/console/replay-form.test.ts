/** The form of a group replay: what it means, what is told, and that a URL of it means the same again. */
import { assert, constantFrom, integer, property, record, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { filterText } from "../../../src/console/filter-text.ts";
import { readReplayForm, replayQuery, WHATS } from "../../../src/console/replay-form.ts";
import { REPLAY_RATE_PER_SECOND, REPLAY_ROWS } from "../../../src/core/limits.ts";

describe("the form", () => {
  test("left empty means everything that failed, at the usual speed, up to the usual limit", () => {
    expect(readReplayForm({})).toEqual({
      order: { filter: {}, withPermanent: false, ratePerSecond: REPLAY_RATE_PER_SECOND, rowLimit: REPLAY_ROWS, reason: null },
      problems: [],
    });
    expect(readReplayForm({ what: "", rate: " ", limit: "", source: "" }).problems).toEqual([]);
  });

  test.each([
    ["dead", { status: "failed" }],
    ["afters", { after: "failed" }],
    ["unhandled", { status: "skipped" }],
  ])("%s means %j", (what, filter) => {
    expect(readReplayForm({ what }).order.filter).toEqual(filter);
  });

  test.each([
    [{ what: "everything" }, "what can be dead, afters, unhandled"],
    [{ what: "constructor" }, "what can be dead, afters, unhandled"],
    [{ rate: "0" }, "per second must be a whole number from 1 to 100"],
    [{ rate: "101" }, "per second must be"],
    [{ rate: "1e1" }, "per second must be"],
    [{ limit: "-5" }, "at most must be a whole number from 1 to"],
    [{ limit: "99999999999999999999" }, "at most must be"],
    [{ source: "Not A Name" }, "source must be a source's name"],
    [{ fingerprint: "zz" }, "a kind of failure is 12 hex digits"],
    [{ from: "soon" }, "from is a time"],
    [{ reason: "   " }, "reason must be text of 1 to"],
    [{ reason: "x".repeat(501) }, "reason must be text of 1 to"],
  ] as const)("%j is told: %s", (given, words) => {
    expect(readReplayForm(given).problems.join("; ")).toContain(words);
  });

  test("with a status or an after of the events' list ignores them: it has a word of its own", () => {
    expect(readReplayForm({ status: "completed", after: "done" })).toMatchObject({ order: { filter: {} }, problems: [] });
  });

  test("read again from the URL that it makes means the same", () => {
    const given = record(
      {
        what: constantFrom(...Object.keys(WHATS)),
        source: constantFrom("stripe", "github-eu"),
        type: string({ minLength: 1, maxLength: 40 }).filter((text) => text.trim() === text && !text.includes("\0") && text.isWellFormed()),
        id: string({ minLength: 1, maxLength: 40 }).filter((text) => text.trim() === text && !text.includes("\0") && text.isWellFormed()),
        from: constantFrom("2026-11-30T10:00", "2026-11-30T10:00:07"),
        to: constantFrom("2026-12-01T10:00"),
        fingerprint: constantFrom("0fa1c2d3e400"),
        rate: integer({ min: 1, max: 100 }).map(String),
        limit: integer({ min: 1, max: 10_000 }).map(String),
        permanent: constantFrom("yes"),
      },
      { requiredKeys: [] },
    );
    assert(
      property(given, (query) => {
        const { order, problems } = readReplayForm(query);
        expect(problems).toEqual([]);
        expect(readReplayForm(replayQuery(order)).order).toEqual(order);
      }),
    );
  });
});

test("each kind of replay has its words", () => {
  expect(filterText({})).toBe("all dead letters and given-up afters");
  expect(filterText({ status: "failed", source: "stripe" })).toBe("dead letters of stripe");
  expect(filterText({ after: "failed", type: "push" })).toBe("afters that were given up type push");
  expect(filterText({ status: "skipped" })).toBe("all events that no handler was there for");
});
