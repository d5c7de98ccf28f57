/** docs/admin-api.md has every route of the admin API and no other, every parameter of a list, and refusals as they are told. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../../cli/root.ts";
import { api } from "../../../src/admin/api.ts";
import { readEventQuery } from "../../../src/operators/event-query.ts";

const page = readFileSync(join(ROOT, "docs", "admin-api.md"), "utf8");
const headings = [...page.matchAll(/^### `(\w+) \/admin\/api(\/\S+)`$/gm)].map(([, method = "", path = ""]) => `${method} ${path}`);

test("every route is on the page, and every route on the page is there", () => {
  const routes = api.routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => `${method} ${path}`);
  expect(headings.toSorted()).toEqual([...new Set(routes)].toSorted());
  expect(headings.length).toBeGreaterThan(10);
});

test("the list's parameters are those that it takes", () => {
  const section = page.slice(page.indexOf("### `GET /admin/api/events`"), page.indexOf("### `GET /admin/api/events/:source/:id`"));
  const named = [...section.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  const refused = readEventQuery({ nonsense: "1" });
  expect(refused).toMatchObject({ ok: false, failure: `parameter "nonsense" is unknown: known are ${named.join(", ")}` });
});

test("the refusal that it quotes is the one that is given", () => {
  const [, quoted = ""] = /"title": "Bad parameter"[^}]*?"detail": ("(?:[^"\\]|\\.)*")/.exec(page) ?? [];
  expect(readEventQuery({ status: "fialed" })).toEqual({ ok: false, failure: JSON.parse(quoted) as string });
});

test("its examples are JSON, and its links lead somewhere", () => {
  const blocks = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
  expect(blocks.map((text) => typeof JSON.parse(text))).toEqual(blocks.map(() => "object"));
  for (const [, file = "", anchor = ""] of page.matchAll(/\]\((\w+\.md)#([\w-]+)\)/g)) {
    const titles = [...readFileSync(join(ROOT, "docs", file), "utf8").matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
      title
        .replaceAll(/[`?,.()]/g, "")
        .toLowerCase()
        .replaceAll(" ", "-"),
    );
    expect(titles, `${file}#${anchor}`).toContain(anchor);
  }
});
