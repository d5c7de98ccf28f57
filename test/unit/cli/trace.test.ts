/** `npm run trace`: a story in lines, hostile text and all. */
import { describe, expect, test } from "vitest";
import { shellWord, storyLines } from "../../../cli/trace/story-lines.ts";
import { HOSTILE, hostileStory, NOW_MS, story } from "../console/fixtures.ts";

const textOf = (one: typeof story, withStacks = false): string => storyLines(one, { nowMs: NOW_MS, withStacks }).join("\n");

describe("a story", () => {
  test("says first how the event stands, then what happened, oldest first", () => {
    const lines = storyLines(story, { nowMs: NOW_MS, withStacks: false });
    expect(lines[0]).toContain(story.status);
    expect(lines[0]).toContain(story.id);
    const times = lines.map((line) => /^\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(line)?.[0] ?? "").filter((time) => time !== "");
    expect(times.length).toBeGreaterThan(2);
    expect(times).toEqual(times.toSorted());
    for (const one of story.attemptLog) expect(lines.join("\n")).toContain(one.message.split("\n", 1)[0]);
  });

  test("shows stacks only when asked", () => {
    const frame =
      story.attemptLog
        .find(({ stack }) => stack !== null)
        ?.stack?.split("\n")
        .at(-1)
        ?.trim() ?? "no stack in the fixture";
    expect(textOf(story)).not.toContain(frame);
    expect(textOf(story, true)).toContain(frame);
  });

  test.each([
    ["of a dead letter", { status: "failed", hasBody: true, after: "none" }, "npm run replay -- "],
    ["of a completed event", { status: "completed", hasBody: true, after: "none" }, '--force --reason "..."'],
    ["whose after was given up", { status: "completed", hasBody: true, after: "failed" }, "Run its after again"],
    ["without bytes", { status: "failed", hasBody: false, after: "none" }, "Only the provider can send it again"],
    ["that is open", { status: "pending", hasBody: true, after: "none" }, "wait"],
  ] as const)("%s ends with what can be done", (_what, values, words) => {
    expect(
      textOf({ ...story, ...values })
        .split("\n")
        .at(-1),
    ).toContain(words);
  });

  test("a claim that did not answer is told as that", () => {
    expect(textOf({ ...story, claim: null })).toContain("did not answer in time");
  });

  test.each([...HOSTILE, "\u001b[2J\u001b[31mred", "a\rb\u0000c\u009bd"])("hostile text stays text: %j", (text) => {
    // eslint-disable-next-line no-control-regex -- these are what must not be there
    expect(textOf(hostileStory(text), true)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });
});

test.each([
  ["evt_1", "evt_1"],
  ["a b", "'a b'"],
  ["$(reboot)", "'$(reboot)'"],
  ["it's; rm", String.raw`'it'\''s; rm'`],
  ["--force", "'--force'"],
])("an id is given to the shell as one word: %s", (id, word) => {
  expect(shellWord(id)).toBe(word);
});
