/** The API's reads: each shows what a function of src/operators saw. */
import { Hono } from "hono";
import { z } from "zod";
import { encodeCursor } from "../core/event-cursor.ts";
import type { EventKey } from "../core/event.ts";
import { PAGE_DEFAULT, PAGE_LIMIT } from "../core/limits.ts";
import type { ClaimView } from "../core/operators.ts";
import { STATS_HOURS_LIMIT } from "../core/stats.ts";
import type { OperatorEnv } from "../operators/desk.ts";
import { type EventPageQuery, FILTER_FIELDS, readEventQuery, readQuery, whole } from "../operators/event-query.ts";
import { seeAudit } from "../operators/see-audit.ts";
import { seeClaim } from "../operators/see-claim.ts";
import { seeEvents } from "../operators/see-events.ts";
import { seeFailures } from "../operators/see-failures.ts";
import { seePayload } from "../operators/see-payload.ts";
import { seeSources } from "../operators/see-sources.ts";
import { seeStats } from "../operators/see-stats.ts";
import { seeStory } from "../operators/see-story.ts";
import { unknownEventText } from "../operators/unknown-event.ts";
import { reading } from "../store/reading.ts";
import { readHandshakes } from "../store/statements/handshakes.ts";
import { writeAudit } from "../store/statements/write-audit.ts";
import { payloadAnswer } from "./payload-answer.ts";
import { problem } from "./problem.ts";
import { noQuery, query } from "./query.ts";

/** As a client writes it. Times: ISO 8601 or epoch ms. */
export interface EventsQuery {
  readonly status?: "pending" | "completed" | "skipped" | "failed";
  readonly after?: "none" | "owed" | "done" | "failed";
  readonly source?: string;
  readonly type?: string;
  readonly from?: string | number;
  readonly to?: string | number;
  readonly prefix?: string;
  readonly fingerprint?: string;
  readonly limit?: string | number;
  readonly cursor?: string;
}
type PageQuery = Pick<EventsQuery, "limit" | "cursor">;

const Failures = z.strictObject({ source: FILTER_FIELDS.source, type: FILTER_FIELDS.type });
const AuditPage = z.strictObject({ limit: whole(1, PAGE_LIMIT).default(PAGE_DEFAULT), cursor: whole(1, Number.MAX_SAFE_INTEGER).optional() });
const Hours = z.strictObject({ hours: whole(1, STATS_HOURS_LIMIT).default(1), source: FILTER_FIELDS.source });

export const readsApi = new Hono<OperatorEnv>({ strict: false })
  .get("/events", query<EventsQuery, EventPageQuery>(readEventQuery), async (c) => {
    const { filter, cursor, limit } = c.req.valid("query");
    const { events, next } = await seeEvents(c.get("desk"), filter, cursor, limit);
    return c.json({ events, next: next === null ? null : encodeCursor(next) }, 200);
  })
  .get("/events/:source/:id", noQuery, async (c) => {
    const key = c.req.param();
    const story = await seeStory(c.get("desk"), key);
    return story === null ? unknownEvent(key, await seeClaim(c.get("desk"), key)) : c.json(story, 200);
  })
  .get("/events/:source/:id/payload", noQuery, async (c) => {
    const bytes = await seePayload(c.get("desk"), c.req.param());
    if (bytes === null) return problem(404, "No bytes", "the ledger has no such event, or its bytes are not kept any more");
    return payloadAnswer(bytes);
  })
  .get(
    "/failures",
    query<Pick<EventsQuery, "source" | "type">, z.output<typeof Failures>>((given) => readQuery(Failures, given)),
    async (c) => {
      const { source, type } = c.req.valid("query");
      const filter = { ...(source === undefined ? {} : { source }), ...(type === undefined ? {} : { type }) };
      return c.json({ failures: await seeFailures(c.get("desk"), filter) }, 200);
    },
  )
  .get("/sources", noQuery, async (c) => c.json({ sources: await seeSources(c.get("desk")) }, 200))
  .get("/sources/:source/handshakes", noQuery, async (c) => {
    const { db } = c.get("desk");
    const { source } = c.req.param();
    // Secrets: whoever reads them is on record before they leave.
    await writeAudit(db, c.get("operator"), "handshakes_read", { source }, {});
    return c.json(await readHandshakes(db, source), 200);
  })
  .get(
    "/audit",
    query<PageQuery, z.output<typeof AuditPage>>((given) => readQuery(AuditPage, given)),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const { entries, next } = await seeAudit(c.get("desk"), cursor ?? null, limit);
      return c.json({ entries, next: next === null ? null : String(next) }, 200);
    },
  )
  .get(
    "/stats",
    query<{ hours?: string | number; source?: string }, z.output<typeof Hours>>((given) => readQuery(Hours, given)),
    async (c) => {
      const { db, env, config } = c.get("desk");
      const { hours, source } = c.req.valid("query");
      return c.json(await reading(db, config.timings, (tx) => seeStats({ db: tx, env }, hours, source ?? null)), 200);
    },
  );

function unknownEvent(key: EventKey, claim: ClaimView | null) {
  return problem(404, "Unknown event", unknownEventText(key, claim));
}
