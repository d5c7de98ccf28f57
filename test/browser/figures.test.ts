/** Every figure that the console shows is the ledger's: each is held against a query of its own over the same rows, written without the Worker's statements. */
import { drizzle } from "drizzle-orm/postgres-js";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { bytesText, DAY_MS, durationText, HOUR_MS, numberText } from "../../src/console/format.ts";
import { fillHour } from "../../src/store/statements/fill-hours.ts";
import { SEED_NAMED, SEED_SOURCES } from "../support/seed-ledger.ts";
import { deadLetter, deliver, mend, sql, unique, untilStatus, useLedger } from "./ledger.ts";
import { operator, useBrowser } from "./operator.ts";

useBrowser();
useLedger();

/** Zone of none of the operators, a quarter of an hour off: what is shown in the viewer's zone keeps its moment. */
const options = { timezoneId: "Asia/Kathmandu" };

beforeAll(async () => {
  // What the cron writes within some days of running.
  const [{ from } = { from: 0 }] = await sql<{ from: number }[]>`
    select extract(epoch from date_trunc('hour', min(received_at), 'UTC'))::float8 * 1000 as from
    from webhook_events`;
  const db = drizzle(sql);
  for (let hourMs = from; hourMs + HOUR_MS <= Date.now(); hourMs += HOUR_MS) await fillHour(db, hourMs);
}, 300_000);

/** What a page shows and what the ledger says, of one moment: both again where the ledger changed in between (the cron works, and a day's window moves). */
async function expectSame<T>(shown: () => Promise<T>, stored: () => Promise<T>): Promise<void> {
  for (let round = 1; ; round++) {
    const before = await stored();
    const seen = await shown();
    const after = await stored();
    if (JSON.stringify(before) !== JSON.stringify(after) && round < 10) continue;
    expect(seen).toEqual(after);
    return;
  }
}

const texts = (locator: Locator): Promise<string[]> => locator.evaluateAll((found) => found.map((one) => (one.textContent ?? "").trim()));
const momentsOf = (locator: Locator): Promise<number[]> =>
  locator.evaluateAll((found) => found.map((one) => Date.parse(one.getAttribute("datetime") ?? "")));
const tile = (page: Page, name: string): Locator => page.locator("li.tile", { has: page.getByRole("heading", { name }) });
const figure = async (page: Page, name: string): Promise<string> => (await tile(page, name).locator(".figure").textContent()) ?? "";
const note = async (page: Page, name: string): Promise<string> => (await tile(page, name).locator(".note").textContent()) ?? "";
const chart = (page: Page, name: string): Locator => page.locator("figure.chart", { has: page.getByRole("heading", { name }) });
const durationOf = (ms: number | null): string => (ms === null ? "none" : durationText(ms));

/** A chart's figures: when each bucket begins, and its cells. */
async function tableOf(page: Page, name: string): Promise<{ readonly startsMs: number[]; readonly rows: string[][] }> {
  const rows = chart(page, name).locator("tbody tr");
  const startsMs = await momentsOf(rows.locator("th time"));
  const cells = await texts(rows.locator("td"));
  const width = cells.length / startsMs.length;
  return { startsMs, rows: startsMs.map((_, n) => cells.slice(n * width, (n + 1) * width)) };
}

interface Counted {
  readonly received: number;
  readonly completed: number;
  readonly skipped: number;
  readonly failed: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** From the events, of each stretch of time. */
async function counted(startsMs: readonly number[], lengthMs: number): Promise<readonly Counted[]> {
  return sql<Counted[]>`
    select
      (select count(*)::int from webhook_events e where e.received_at >= b.start and e.received_at < b.start + b.length) as received,
      s.completed, s.skipped, s.failed, round(s.p50 * 1000) as p50, round(s.p95 * 1000) as p95, round(s.p99 * 1000) as p99
    from (
      select to_timestamp(ms / 1000) as start, make_interval(secs => ${lengthMs / 1_000}) as length
      from unnest(${[...startsMs]}::float8[]) as starts(ms)
    ) b
    cross join lateral (
      select count(*) filter (where e.status = 'completed')::int as completed,
        count(*) filter (where e.status = 'skipped')::int as skipped,
        count(*) filter (where e.status = 'failed')::int as failed,
        percentile_disc(0.5) within group (order by took.s) filter (where e.status = 'completed') as p50,
        percentile_disc(0.95) within group (order by took.s) filter (where e.status = 'completed') as p95,
        percentile_disc(0.99) within group (order by took.s) filter (where e.status = 'completed') as p99
      from webhook_events e
      cross join lateral (select greatest(0, extract(epoch from e.settled_at) - extract(epoch from e.received_at))::float8 as s) took
      where e.settled_at >= b.start and e.settled_at < b.start + b.length
    ) s
    order by b.start`;
}
const outcomes = (row: Counted): string[] => [row.received, row.completed, row.skipped, row.failed].map(numberText);
const latencies = (row: Pick<Counted, "p50" | "p95" | "p99">): string[] => [row.p50, row.p95, row.p99].map(durationOf);
const sumOf = (rows: readonly Counted[], name: "received" | "completed" | "skipped" | "failed"): number =>
  rows.reduce((sum, row) => sum + row[name], 0);
const worst = (rows: readonly Counted[], name: "p50" | "p95" | "p99"): number | null => {
  const told = rows.flatMap((row) => row[name] ?? []);
  return told.length === 0 ? null : Math.max(...told);
};

async function overview(page: Page) {
  const [outcome, latency] = [await tableOf(page, "Events by outcome"), await tableOf(page, "Arrival to commit")];
  return {
    outcomes: outcome.rows,
    latencies: latency.rows,
    legend: await texts(chart(page, "Events by outcome").locator(".legend b")),
    percentiles: await texts(chart(page, "Arrival to commit").locator(".legend b")),
    received: [await figure(page, "Received"), await note(page, "Received")],
    p95: await figure(page, "Arrival to commit"),
  };
}

/** The same, of the ledger's rows. */
function overviewOf(rows: readonly Counted[], total: Pick<Counted, "p50" | "p95" | "p99">) {
  const [received, completed, skipped, failed] = (["received", "completed", "skipped", "failed"] as const).map((name) =>
    numberText(sumOf(rows, name)),
  );
  return {
    outcomes: rows.map(outcomes),
    latencies: rows.map(latencies),
    legend: [completed, skipped, failed, received],
    percentiles: latencies(total),
    received: [received, `${completed} completed`],
    p95: durationOf(total.p95),
  };
}

describe("on the overview", () => {
  it.each([
    [1, 60_000],
    [6, 300_000],
    [24, 900_000],
  ])("of %i hours, each bucket, each sum and each percentile", async (hours, bucketMs) => {
    const { page } = await operator(options);
    await page.goto(`/admin?hours=${hours}`);
    const { startsMs } = await tableOf(page, "Events by outcome");
    const [asOf = 0] = await momentsOf(page.locator(".fresh time"));
    const [first = 0] = startsMs;
    expect(startsMs).toEqual(Array.from({ length: (hours * HOUR_MS) / bucketMs }, (_, n) => first + n * bucketMs));
    expect(first % bucketMs).toBe(0);
    expect(Math.floor(asOf / bucketMs) * bucketMs).toBe(startsMs.at(-1));
    await expectSame(
      async () => {
        await page.goto(`/admin?hours=${hours}`);
        return overview(page);
      },
      async () => {
        // The clock may have gone on to the next bucket.
        const last = Math.floor(Date.now() / bucketMs) * bucketMs;
        const buckets = startsMs.map((_, n) => last - (startsMs.length - 1 - n) * bucketMs);
        const rows = await counted(buckets, bucketMs);
        const [total] = await counted([buckets[0] ?? 0], hours * HOUR_MS);
        if (total === undefined) throw new Error("no row");
        return overviewOf(rows, total);
      },
    );
  });

  it.each([
    [30 * 24, HOUR_MS],
    [90 * 24, DAY_MS],
  ])("of %i hours, from what the cron wrote down of those that are over", async (hours, bucketMs) => {
    const { page } = await operator(options);
    await page.goto(`/admin?hours=${hours}`);
    const { startsMs } = await tableOf(page, "Events by outcome");
    expect(startsMs).toHaveLength((hours * HOUR_MS) / bucketMs);
    await expectSame(
      async () => {
        await page.goto(`/admin?hours=${hours}`);
        return overview(page);
      },
      async () => {
        const [{ until } = { until: 0 }] = await sql<{ until: number }[]>`
          select extract(epoch from max(hour) + interval '1 hour')::float8 * 1000 as until
          from webhook_hours`;
        const from = startsMs[0] ?? 0;
        const hourStarts = Array.from({ length: Math.round((until - from) / HOUR_MS) }, (_, n) => from + n * HOUR_MS);
        const all = await counted(hourStarts, HOUR_MS);
        const rows = startsMs.map((start): Counted => {
          const within = all.filter((_, n) => Math.floor(((hourStarts[n] ?? 0) - from) / bucketMs) === (start - from) / bucketMs);
          return {
            received: sumOf(within, "received"),
            completed: sumOf(within, "completed"),
            skipped: sumOf(within, "skipped"),
            failed: sumOf(within, "failed"),
            p50: worst(within, "p50"),
            p95: worst(within, "p95"),
            p99: worst(within, "p99"),
          };
        });
        return overviewOf(rows, { p50: worst(rows, "p50"), p95: worst(rows, "p95"), p99: worst(rows, "p99") });
      },
    );
  });

  it("dead letters, pending ones, afters, and the kinds with the most", async () => {
    const { page } = await operator(options);
    await expectSame(
      async () => {
        await page.goto("/admin");
        return {
          deadLetters: [await figure(page, "Dead letters"), await note(page, "Dead letters")],
          pending: await figure(page, "Pending"),
          kinds: await page
            .locator(".failure-bars li")
            .evaluateAll((found) =>
              found.map((one) => [
                new URL(one.querySelector("a")?.getAttribute("href") ?? "", "http://console").searchParams.get("fingerprint"),
                one.querySelector("b")?.textContent ?? "",
                one.querySelector("svg")?.getAttribute("aria-label") ?? "",
              ]),
            ),
          all: await page.locator("#dead-letters + a").textContent(),
        };
      },
      async () => {
        const [row] = await sql<{ dead: number; afters: number; pending: number; kinds: number }[]>`
          select count(*) filter (where status = 'failed')::int as dead, count(*) filter (where after = 'failed')::int as afters,
            count(*) filter (where status = 'pending')::int as pending,
            count(distinct fingerprint) filter (where status = 'failed')::int as kinds
          from webhook_events`;
        const kinds = await sql<{ fingerprint: string; count: number }[]>`
          select fingerprint, count(*)::int as count
          from webhook_events
          where status = 'failed'
          group by 1
          order by 2 desc, 1
          limit 6`;
        const { dead = 0, afters = 0, pending = 0, kinds: all = 0 } = row ?? {};
        return {
          deadLetters: [numberText(dead), `and ${numberText(afters)} afters given up`],
          pending: numberText(pending),
          kinds: kinds.map(({ fingerprint, count }) => [fingerprint, numberText(count), `${numberText(count)} dead letters`]),
          all: `All ${all} kinds`,
        };
      },
    );
  });
});

it("on the page of dead letters: how many of each kind, how many of them permanent, the first and the last", async () => {
  const { page } = await operator(options);
  await expectSame(
    async () => {
      await page.goto("/admin/failures");
      const kinds = page.locator("ol.kinds > li");
      return {
        sum: await page.locator(".heading .note").textContent(),
        kinds: await kinds.evaluateAll((found) =>
          found.map((one) => ({
            fingerprint: new URL(one.querySelector(".ways a:nth-child(2)")?.getAttribute("href") ?? "", "http://console").searchParams.get(
              "fingerprint",
            ),
            all: one.querySelector(".ways a:nth-child(2)")?.textContent ?? "",
            times: one.querySelector(".times")?.textContent ?? "",
            permanent: one.querySelector(".permanent")?.textContent?.split(" ")[0] ?? "none",
            moments: [...one.querySelectorAll("time")].map((time) => Date.parse(time.dateTime)),
          })),
        ),
      };
    },
    async () => {
      const rows = await sql<{ fingerprint: string; count: number; permanent: number; first: number; last: number }[]>`
        select fingerprint, count(*)::int as count, count(*) filter (where reason = 'permanent' or reason = 'unstorable')::int as permanent,
          floor(extract(epoch from min(settled_at)) * 1000)::float8 as first, floor(extract(epoch from max(settled_at)) * 1000)::float8 as last
        from webhook_events
        where status = 'failed'
        group by 1
        order by 2 desc, 1`;
      const total = rows.reduce((sum, { count }) => sum + count, 0);
      return {
        sum: `${numberText(total)} dead letters of ${numberText(rows.length)} kinds`,
        kinds: rows.map(({ fingerprint, count, permanent, first, last }) => ({
          fingerprint,
          all: `All ${numberText(count)}`,
          times: `${numberText(count)} ×`,
          permanent: permanent === 0 ? "none" : permanent === count ? "All" : numberText(permanent),
          moments: [first, last],
        })),
      };
    },
  );
});

it("on the page of sources: the last event of each, and its last day", async () => {
  const { page } = await operator(options);
  await expectSame(
    async () => {
      await page.goto("/admin/sources");
      const seen = await page.locator("ul.sources > li").evaluateAll((found) =>
        found.map((one) => {
          const time = one.querySelector("time");
          return {
            source: one.querySelector("h2")?.textContent ?? "",
            last: time === null ? null : Date.parse(time.dateTime),
            day: /In the last day: (.*)\./.exec(one.textContent ?? "")?.[1] ?? "",
          };
        }),
      );
      return seen.filter(({ source }) => SEED_SOURCES.some((name) => name === source)).toSorted((a, b) => a.source.localeCompare(b.source));
    },
    async () => {
      const rows = await sql<{ source: string; last: number; received: number; completed: number; skipped: number; failed: number }[]>`
        select source, floor(extract(epoch from max(received_at)) * 1000)::float8 as last,
          count(*) filter (where received_at >= now() - interval '1 day')::int as received,
          count(*) filter (where received_at >= now() - interval '1 day' and status = 'completed')::int as completed,
          count(*) filter (where received_at >= now() - interval '1 day' and status = 'skipped')::int as skipped,
          count(*) filter (where received_at >= now() - interval '1 day' and status = 'failed')::int as failed
        from webhook_events
        where source in ${sql(SEED_SOURCES)}
        group by 1
        order by 1`;
      return rows.map(({ source, last, received, completed, skipped, failed }) => ({
        source,
        last,
        day: `${numberText(received)} received, ${numberText(completed)} completed, ${numberText(skipped)} skipped, ${numberText(failed)} failed`,
      }));
    },
  );
});

it("in the list of events: which, in which order, when, how long, page after page", async () => {
  const { page } = await operator(options);
  const seen: (readonly (string | number | null)[])[] = [];
  await page.goto("/admin/events?source=stripe&status=failed");
  for (const isLast of [false, false, true]) {
    seen.push(
      ...(await page
        .locator("tbody tr")
        .evaluateAll((found) =>
          found.map((row) => [
            row.querySelector(".event a")?.textContent ?? "",
            row.querySelector("td .chip")?.textContent?.trim() ?? "",
            Date.parse(row.querySelector("td time")?.getAttribute("datetime") ?? ""),
            row.querySelector("td.figure")?.textContent ?? "",
          ]),
        )),
    );
    if (!isLast) await Promise.all([page.waitForURL(/cursor/), page.locator('a[rel="next"]').click()]);
    await page.getByRole("heading", { level: 1 }).waitFor();
  }
  const rows = await sql<{ id: string; status: string; at: number; took: number }[]>`
    select event_id as id, status, floor(extract(epoch from received_at) * 1000)::float8 as at,
      (floor(extract(epoch from settled_at) * 1000) - floor(extract(epoch from received_at) * 1000))::float8 as took
    from webhook_events
    where source = 'stripe' and status = 'failed'
    order by received_at desc, source desc, event_id desc
    limit ${seen.length}`;
  expect(seen.length).toBeGreaterThanOrEqual(100);
  expect(seen).toEqual(rows.map(({ id, status, at, took }) => [id, status, at, durationText(took)]));
});

describe("on the page of an event", () => {
  /** The page's facts by name. */
  const factsOf = async (page: Page): Promise<Record<string, string>> =>
    Object.fromEntries(
      await page
        .locator("section[aria-labelledby=facts] dt")
        .evaluateAll((found) => found.map((one) => [one.textContent ?? "", one.nextElementSibling?.textContent ?? ""])),
    );
  const storedOf = async (source: string, id: string) => {
    const [row] = await sql<Record<string, number | string>[]>`
      select e.status, e.attempts, e.total_attempts, e.duplicates, e.mismatches, e.replays, e.after, octet_length(e.body) as bytes,
        floor(extract(epoch from e.received_at) * 1000)::float8 as received, floor(extract(epoch from e.settled_at) * 1000)::float8 as settled,
        e.opening::float8 as opening,
        (select count(*)::int from webhook_attempts a where a.source = e.source and a.event_id = e.event_id) as logged,
        (select count(*)::int from webhook_audit a where a.source = e.source and a.event_id = e.event_id) as audited
      from webhook_events e
      where e.source = ${source} and e.event_id = ${id}`;
    if (row === undefined) throw new Error(`no row of ${id}`);
    return row;
  };

  const expectFigures = async (source: string, id: string): Promise<Record<string, number | string>> => {
    const { page } = await operator(options);
    await page.goto(`/admin/events/${source}/${encodeURIComponent(id)}`);
    const [facts, row] = [await factsOf(page), await storedOf(source, id)];
    expect(facts).toMatchObject({
      Attempts: `${row["attempts"]} since it was opened, ${row["total_attempts"]} in all`,
      Duplicates: `at least ${row["duplicates"]}`,
      Mismatches: `${row["mismatches"]}`,
      Replays: `${row["replays"]}`,
      After: row["after"],
      Bytes: row["bytes"] === null ? "no longer kept" : bytesText(Number(row["bytes"])),
    });
    const moments = (name: string) => momentsOf(page.locator("section[aria-labelledby=facts] dt", { hasText: name }).locator("+ dd time"));
    expect([await moments("Received"), await moments("Settled"), await moments("Opened")]).toEqual([
      [row["received"]],
      [row["settled"]],
      [row["opening"]],
    ]);
    const titles = await texts(page.locator(".timeline .title strong"));
    expect(titles.filter((title) => title === "An attempt failed")).toHaveLength(Number(row["logged"]));
    expect(titles.filter((title) => title === "Replayed")).toHaveLength(Number(row["audited"]));
    return row;
  };

  it.each(["completed", "failed", "withoutBytes", "skipped"] as const)("of the seed, %s", async (name) => {
    const { source, id } = SEED_NAMED[name];
    await expectFigures(source, id);
  });

  it("that failed, came again with the same bytes and with others, was replayed and completed", async () => {
    const id = unique("storied");
    await deadLetter(id, { userId: id });
    await deliver(id, { userId: id, error: "numeric field overflow" });
    await deliver(id, { userId: id, amount: 3 });
    await mend(id);
    const { page } = await operator(options);
    await page.goto(`/admin/events/generic/${id}`);
    await page.getByRole("button", { name: "Replay", exact: true }).click();
    await page.locator(".notice").first().waitFor();
    await untilStatus(id, "completed");
    expect(await expectFigures("generic", id)).toMatchObject({ status: "completed", total_attempts: 1, replays: 1, logged: 1, audited: 1 });
  });
});

it("times are shown in the viewer's zone, wherever that is, and keep the exact UTC in their title", async () => {
  const { source, id } = SEED_NAMED.failed;
  const [row = { ms: Number.NaN }] = await sql<{ ms: number }[]>`
    select floor(extract(epoch from received_at) * 1000)::float8 as ms
    from webhook_events
    where source = ${source} and event_id = ${id}`;
  const at = new Date(row.ms);
  const utc = at.toISOString();
  for (const timezoneId of ["Asia/Kathmandu", "Pacific/Chatham", "America/St_Johns", "UTC"]) {
    const { page } = await operator({ timezoneId });
    await page.goto(`/admin/events/${source}/${id}`);
    const time = page.locator("section[aria-labelledby=facts] time").first();
    expect(await time.textContent()).toBe(at.toLocaleString("sv-SE", { timeZone: timezoneId }));
    expect(await time.getAttribute("title")).toBe(`${utc.replace("T", " ").replace("Z", "")} UTC`);
    // A browser may write a zone's name another way.
    const zone = await page.evaluate<string>("Intl.DateTimeFormat().resolvedOptions().timeZone");
    expect(await page.locator("[data-zone]").first().textContent()).toBe(zone);
  }
});
