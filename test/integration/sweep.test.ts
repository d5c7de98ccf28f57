/** The cron: messages that were lost are sent again, bytes that have served their time go, rows stay. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { env } from "cloudflare:workers";
import { configOf } from "../../src/config.ts";
import type { EventMessage } from "../../src/core/message.ts";
import { on } from "../support/own-app.ts";
import { sweep } from "../../src/sweep.ts";
import { PermanentError } from "#holdfast";
import { config, consume, type Ledger, ledger, message } from "../support/ledger.ts";

let books: Ledger;
let sent: EventMessage[] = [];
let refuses = false;
let backlog = 0;
beforeAll(async () => {
  books = await ledger("sweep");
  const queue = {
    metrics: async () => ({ backlogCount: backlog, backlogBytes: 0 }),
    sendBatch: async (messages: Iterable<MessageSendRequest>) => {
      if (refuses) throw new Error("queue is full");
      for (const one of messages) sent.push(one.body as EventMessage);
    },
  } as unknown as Queue;
  books = { ...books, env: { ...books.env, EVENTS: queue } };
});
beforeEach(() => {
  sent = [];
  refuses = false;
  backlog = 0;
});

const pending = async () => {
  const one = await message();
  await consume(books, [one], [on("generic", "*", () => Promise.reject(new Error("later")))]);
  await aged(one.facts.id, 2);
  return one;
};
/** As if its last message had gone out this many sweep ages ago, with the opening. */
const aged = (id: string, ages: number) => {
  const ms = ages * config.timings.sweepAgeMs;
  return books.run(
    `update webhook_events set sent_at = now() - interval '${ms} milliseconds', opening = (extract(epoch from now()) * 1000)::bigint - ${ms} where event_id = '${id}'`,
  );
};
const run = () => sweep(books.env, configOf(books.env));
const ids = () => sent.map((one) => one.facts.id);

describe("the sweep", () => {
  test("sends a pending row whose message was lost, without bytes, under the row's opening", async () => {
    const one = await pending();
    await run();
    expect(ids()).toEqual([one.facts.id]);
    expect(sent[0]).toMatchObject({ bytes: null, direct: false, opening: (await books.row(one.facts.id))?.opening });
    expect((await consume(books, [sent[0]], [on("generic", "*", async () => undefined)])).acked).toEqual([one.facts.id]);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "completed" });
  });

  test("sends it once, then waits longer each time", async () => {
    const one = await pending();
    await run();
    await run();
    expect(ids()).toEqual([one.facts.id]);
    // Its last message went out when the row had been open for two ages: one age later is too soon, two are enough.
    await books.run(
      `update webhook_events set sent_at = sent_at - interval '${1.2 * config.timings.sweepAgeMs} milliseconds', opening = opening - ${1.2 * config.timings.sweepAgeMs} where event_id = '${one.facts.id}'`,
    );
    await run();
    expect(ids()).toEqual([one.facts.id]);
    await aged(one.facts.id, 3);
    await run();
    expect(ids()).toEqual([one.facts.id, one.facts.id]);
    await books.run(`update webhook_events set status = 'skipped' where event_id = '${one.facts.id}'`);
  });

  test("leaves alone what is settled, what is young, and what waits for its next attempt", async () => {
    const young = await message();
    await consume(books, [young], [on("generic", "*", () => Promise.reject(new Error("later")))]);
    const done = await message();
    await consume(books, [done], [on("generic", "*", async () => undefined)]);
    await books.run(`update webhook_events set sent_at = now() - interval '1 day' where event_id = '${done.facts.id}'`);
    await books.run(`update webhook_events set sent_at = now() + interval '1 day', opening = 1 where event_id = '${young.facts.id}'`);
    await run();
    expect(ids()).toEqual([]);
  });

  test("sends what is owed an after", async () => {
    const one = await message();
    const owing = on("generic", "*", { run: async () => undefined, after: () => Promise.reject(new Error("down")) });
    await consume(books, [one], [owing]);
    await aged(one.facts.id, 2);
    await run();
    expect(ids()).toEqual([one.facts.id]);
  });

  test("skips a row that somebody is working on", async () => {
    const one = await pending();
    let swept = false;
    await consume(
      books,
      [one],
      [
        on("generic", "*", async () => {
          await run();
          swept = true;
          throw new Error("and stays pending");
        }),
      ],
    );
    expect([swept, ids()]).toEqual([true, []]);
    await aged(one.facts.id, 2);
    await run();
    expect(ids()).toEqual([one.facts.id]);
  });

  test("holds back while the queue has a backlog, and not when it cannot know", async () => {
    const one = await pending();
    backlog = 10_001;
    await run();
    expect(ids()).toEqual([]);
    backlog = 0;
    await run();
    expect(ids()).toEqual([one.facts.id]);
  });

  test("that the queue refuses fails nothing, and those rows come again", async () => {
    const one = await pending();
    refuses = true;
    await run();
    refuses = false;
    await aged(one.facts.id, 5);
    await run();
    expect(ids()).toContain(one.facts.id);
  });

  test("that cannot reach Postgres says so and does not throw", async () => {
    const dead = {
      connectionString: env.HYPERDRIVE.connectionString,
      connect: () => {
        throw new Error("refused");
      },
    } as unknown as Hyperdrive;
    await expect(sweep({ ...books.env, HYPERDRIVE: dead }, config)).resolves.toBeUndefined();
  });

  test("drops the bytes of completed events after 30 days, keeps the row, and keeps dead letters whole", async () => {
    const [done, dead] = [await message(), await message()];
    await consume(books, [done], [on("generic", "*", async () => undefined)]);
    await consume(books, [dead], [on("generic", "*", () => Promise.reject(new PermanentError("no")))]);
    await books.run(`update webhook_events set settled_at = now() - interval '31 days' where event_id in ('${done.facts.id}', '${dead.facts.id}')`);
    await run();
    expect(await books.row(done.facts.id)).toMatchObject({ status: "completed", hasBody: false });
    expect(await books.row(dead.facts.id)).toMatchObject({ status: "failed", hasBody: true });
    expect(
      (await consume(books, [{ ...done, opening: done.opening + 1 }], [on("generic", "*", () => Promise.reject(new Error("must not run")))])).acked,
    ).toEqual([done.facts.id]);
  });

  test("deletes rows only where LEDGER_KEEP_DAYS says so", async () => {
    const one = await message();
    await consume(books, [one], [on("generic", "*", async () => undefined)]);
    await books.run(`update webhook_events set settled_at = now() - interval '100 days' where event_id = '${one.facts.id}'`);
    await run();
    expect(await books.row(one.facts.id)).not.toBeNull();
    await sweep(books.env, { ...config, ledgerKeepDays: 90 });
    expect(await books.row(one.facts.id)).toBeNull();
  });
});
