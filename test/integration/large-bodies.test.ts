/** Bodies too large for a message: from the claim into the row, to the last bit, one at a time. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { sha256Hex } from "../../src/digest.ts";
import { storeBody } from "../../src/store/statements/body.ts";
import { on } from "../support/own-app.ts";
import { control } from "../support/control.ts";
import { consume, type Ledger, ledger, message, unique } from "../support/ledger.ts";
import { delivery, fetchWorker } from "../support/requests.ts";

let books: Ledger;
const queued: Awaited<ReturnType<typeof message>>[] = [];
beforeAll(async () => {
  books = await ledger("large");
  control.queue = async (batch) => {
    for (const one of batch.messages) queued.push(one.body as Awaited<ReturnType<typeof message>>);
  };
});

const MEBIBYTE = 1024 * 1024;
/** JSON of about this size whose text is not compressible to nothing. */
const bodyOf = (id: string, bytes: number) =>
  JSON.stringify({
    id,
    text: Array.from({ length: Math.ceil(bytes / 36) }, () => crypto.randomUUID())
      .join("")
      .slice(0, bytes),
  });

describe("a large body", () => {
  test.each([0.1, 1, 2.5, 9])(
    "of %d MiB arrives, is stored bit for bit and completes",
    async (mebibytes) => {
      const id = unique("evt");
      const body = new TextEncoder().encode(bodyOf(id, mebibytes * MEBIBYTE));
      const digest = await sha256Hex(body);
      expect((await fetchWorker(await delivery({ body }))).outcome).toBe("queued");
      await expect.poll(() => queued.some((one) => one.facts.id === id), { timeout: 10_000 }).toBe(true);
      const sent = queued.find((one) => one.facts.id === id);
      expect(sent?.bytes).toBeNull();
      let seen = "";
      const { acked } = await consume(books, [sent], [on("generic", "*", async ({ event }) => void (seen = await sha256Hex(event.bytes)))]);
      expect(acked).toEqual([id]);
      expect(seen).toBe(digest);
      expect(await books.row(id)).toMatchObject({ status: "completed", digest, bytesLength: body.byteLength });
      expect(await books.run(`select encode(sha256(body), 'hex') as digest from webhook_events where event_id = '${id}'`)).toEqual([{ digest }]);
    },
    60_000,
  );

  test("over 10 MiB is 413", async () => {
    const answer = await fetchWorker(await delivery({ body: bodyOf(unique("evt"), 11 * MEBIBYTE) }));
    expect([answer.status, answer.body]).toEqual([413, { error: "Payload too large" }]);
  });

  test("that neither the claim nor the row has is a dead letter that says so", async () => {
    const one = await message({ bare: true });
    expect((await consume(books, [one], [on("generic", "*", async () => undefined)])).acked).toEqual([one.facts.id]);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "failed", reason: "bytes_missing", hasBody: false });
  });

  test("that somebody stored while the claim was asked is handled, not missing", async () => {
    const one = await message({ bare: true, body: { is: "here" } });
    const bytes = new TextEncoder().encode(JSON.stringify({ is: "here" }));
    const late = {
      getByName: () => ({
        load: async () => {
          await storeBody(books.db(), { source: "generic", id: one.facts.id }, { digest: one.facts.digest, bytes });
          return { error: null, body: null };
        },
        settle: async () => ({ error: null }),
      }),
    } as unknown as Env["CLAIMS"];
    await consume({ env: { ...books.env, CLAIMS: late } }, [one], [on("generic", "*", async () => undefined)]);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "completed", hasBody: true });
  });

  test("whose claim cannot be reached is given back, not judged", async () => {
    const one = await message({ bare: true });
    const unreachable = {
      getByName: () => ({ load: () => Promise.reject(new Error("object gone")), settle: () => Promise.reject(new Error("object gone")) }),
    } as unknown as Env["CLAIMS"];
    const { acked } = await consume({ env: { ...books.env, CLAIMS: unreachable } }, [one], [on("generic", "*", async () => undefined)]);
    expect(acked).toEqual([]);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "pending", attempts: 0 });
  });

  test("damaged in the claim is never handled", async () => {
    const one = await message({ bare: true, body: { is: "right" } });
    const damaged = {
      getByName: (name: string) =>
        Object.assign(env.CLAIMS.getByName(name), {
          load: async () => ({ error: null, body: { digest: one.facts.digest, bytes: new Uint8Array([1, 2, 3]) } }),
        }),
    } as unknown as Env["CLAIMS"];
    let ran = false;
    await consume({ env: { ...books.env, CLAIMS: damaged } }, [one], [on("generic", "*", async () => void (ran = true))]);
    expect(ran).toBe(false);
  });
});

test("the first bytes win: a second message with others runs on the row's, and the mismatch is counted on the event", async () => {
  const id = unique("evt");
  const first = await message({ id, body: { n: 1 } });
  const second = await message({ id, body: { n: 2 }, direct: true });
  await consume(books, [first], [on("generic", "*", () => Promise.reject(new Error("not yet")))]);
  await books.run(`update webhook_events set sent_at = now() where event_id = '${id}'`);
  let seen: unknown = null;
  await consume(books, [second], [on("generic", "*", async ({ data }) => void (seen = data))]);
  expect(seen).toMatchObject({ n: 1 });
  expect(await books.row(id)).toMatchObject({ status: "completed", digest: first.facts.digest, mismatches: 1 });
});
