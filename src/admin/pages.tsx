/** The console's pages: each shows what a function of src/operators saw. */
import { Hono } from "hono";
import { readFilter } from "../console/filter.ts";
import { Audit } from "../console/pages/audit.tsx";
import { Events } from "../console/pages/events.tsx";
import { Failures } from "../console/pages/failures.tsx";
import { Overview, RANGES } from "../console/pages/overview.tsx";
import { SourcesPage } from "../console/pages/sources.tsx";
import { decodeCursor, encodeCursor } from "../core/event-cursor.ts";
import { EVENT_ID_LIMIT_BYTES, PAGE_DEFAULT, SOURCE_NAME_LIMIT_BYTES } from "../core/limits.ts";
import { datasetOf } from "../metrics.ts";
import type { OperatorEnv } from "../operators/desk.ts";
import { isStorable } from "../operators/event-query.ts";
import { seeAlerts } from "../operators/see-alerts.ts";
import { seeAudit } from "../operators/see-audit.ts";
import { seeEvents } from "../operators/see-events.ts";
import { seeFailures } from "../operators/see-failures.ts";
import { seeSources } from "../operators/see-sources.ts";
import { seeStats } from "../operators/see-stats.ts";
import { reading } from "../store/reading.ts";
import { eventPages } from "./event-pages.tsx";
import { notHere, show, trouble } from "./page.tsx";
import { replayPages } from "./replay-pages.tsx";

const HOURS_AT_FIRST = RANGES[0][0];

export const pages = new Hono<OperatorEnv>({ strict: false })
  .get("/", async (c) => {
    const { db, env, config } = c.get("desk");
    const [hours] = RANGES.find(([value]) => value === c.req.query("hours")) ?? [HOURS_AT_FIRST];
    const stats = await reading(db, config.timings, (tx) => seeStats({ db: tx, env }, Number(hours)));
    const groups = await seeFailures(c.get("desk"));
    const props = { operator: c.get("operator"), stats, groups, alerts: await seeAlerts(c.get("desk")) };
    return show(c, <Overview {...props} hours={Number(hours)} nowMs={Date.now()} />);
  })
  .get("/events", async (c) => {
    const query = c.req.query();
    const { filter, problems } = readFilter(query);
    const given = c.req.query("cursor");
    const cursor = given === undefined ? null : decodeCursor(given);
    const isOurs = cursor !== null && isStorable(cursor.source, SOURCE_NAME_LIMIT_BYTES) && isStorable(cursor.id, EVENT_ID_LIMIT_BYTES);
    const told = given === undefined || isOurs ? problems : [...problems, "the link to older events is damaged: these are the newest"];
    const { events, next } = await seeEvents(c.get("desk"), filter, isOurs ? cursor : null, PAGE_DEFAULT);
    const props = {
      operator: c.get("operator"),
      filter,
      given: query,
      problems: told,
      events,
      isLater: isOurs,
      sources: Object.keys(c.get("desk").sources),
    };
    return show(c, <Events {...props} next={next === null ? null : encodeCursor(next)} />, told.length === 0 ? 200 : 400);
  })
  .route("/", eventPages)
  .get("/failures", async (c) => {
    const desk = c.get("desk");
    const sources = Object.keys(desk.sources);
    const { filter, problems } = readFilter({ source: c.req.query("source") });
    const groups = await seeFailures(desk, filter);
    const props = { operator: c.get("operator"), groups, source: filter.source, problems, sources };
    return show(c, <Failures {...props} nowMs={Date.now()} />, problems.length === 0 ? 200 : 400);
  })
  .route("/", replayPages)
  .get("/sources", async (c) => {
    const sources = await seeSources(c.get("desk"));
    return show(c, <SourcesPage operator={c.get("operator")} sources={sources} nowMs={Date.now()} isCounted={datasetOf(c.env) !== null} />);
  })
  .get("/audit", async (c) => {
    const given = c.req.query("cursor") ?? "";
    const cursor = /^[1-9]\d{0,14}$/.test(given) ? Number(given) : null;
    const { entries, next } = await seeAudit(c.get("desk"), cursor, PAGE_DEFAULT);
    return show(c, <Audit operator={c.get("operator")} entries={entries} next={next === null ? null : String(next)} isLater={cursor !== null} />);
  })
  .all("*", (c) => notHere(c, "the console has no such page"))
  .onError((error, c) => trouble(error, c));
