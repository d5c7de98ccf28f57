/** Secrets that providers hand over: few, for a day, for operators alone. */
import { beforeAll, describe, expect, test, vi } from "vitest";
import { openClient } from "../../src/store/client.ts";
import { HANDSHAKES_LIMIT, HANDSHAKES_PER_MINUTE } from "../../src/core/limits.ts";
import { keepSecret } from "../../src/ingest/means.ts";
import { dropHandshakes, keepHandshake, readHandshakes } from "../../src/store/statements/handshakes.ts";
import { sweep } from "../../src/sweep.ts";
import { config, type Ledger, ledger, unique } from "../support/ledger.ts";
import { fetchWorker } from "../support/requests.ts";

let books: Ledger;
beforeAll(async () => {
  books = await ledger("handshakes");
});

const secrets = async (source: string) => (await readHandshakes(books.db(), source)).map((one) => one.secret);
const keep = (source: string, secret: string) => keepHandshake(books.db(), source, secret, config.timings.handshakeHeldMs);
const count = async (source: string) => (await books.run(`select count(*)::int as n from webhook_handshakes where source = '${source}'`))[0]?.["n"];
const read = (source: string, token: string | null) =>
  fetchWorker(
    new Request(`http://localhost/admin/api/sources/${source}/handshakes`, { headers: token === null ? {} : { authorization: `Bearer ${token}` } }),
    books.env,
  );

describe("a secret that a provider sent", () => {
  test("is kept with the others, the newest first, and says how many they are", async () => {
    const source = unique("notion");
    const others = [];
    for (const secret of ["one", "two", "three"]) others.push(await keep(source, secret));
    expect(others).toEqual([{ others: 0 }, { others: 1 }, { others: 2 }]);
    expect(await secrets(source)).toEqual(["three", "two", "one"]);
  });

  test("is not pushed out by a flood of others: those are refused", async () => {
    const source = unique("notion");
    const many = Array.from({ length: HANDSHAKES_LIMIT - 1 }, (_, n) => `flood-${n}`);
    await keep(source, "genuine");
    for (const secret of many) await keep(source, secret);
    for (let n = 0; n < 20; n++) expect(await keep(source, `late-${n}`)).toBeNull();
    expect(await secrets(source)).toEqual([...many.toReversed(), "genuine"]);
    expect(await keep(source, "genuine")).not.toBeNull();
  });

  test("finds a place after a flood of an hour ago: the oldest go", async () => {
    const source = unique("notion");
    for (let n = 0; n < HANDSHAKES_LIMIT; n++) await keep(source, `flood-${n}`);
    await books.run(`update webhook_handshakes set received_at = received_at - interval '61 minutes' where source = '${source}'`);
    await keep(source, "genuine");
    expect((await secrets(source))[0]).toBe("genuine");
    expect(await secrets(source)).not.toContain("flood-0");
    expect(await count(source)).toBe(HANDSHAKES_LIMIT);
  });

  test("again is the same one, and now the newest", async () => {
    const source = unique("notion");
    for (const secret of ["one", "two", "one"]) await keep(source, secret);
    expect(await secrets(source)).toEqual(["one", "two"]);
  });

  test("pushes out nobody else's", async () => {
    const [mine, other] = [unique("notion"), unique("asana")];
    await keep(other, "theirs");
    for (let n = 1; n <= HANDSHAKES_LIMIT + 1; n++) await keep(mine, `secret-${n}`);
    expect(await secrets(other)).toEqual(["theirs"]);
    expect(await keep(other, "another")).toEqual({ others: 1 });
  });

  test("posted by a crowd at once stays few, and fails nobody", async () => {
    const source = unique("notion");
    await keep(source, "genuine");
    const clients = Array.from({ length: 4 }, () => openClient(books.env.HYPERDRIVE, config.timings));
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        keepHandshake(clients[n % 4]?.db ?? books.db(), source, `secret-${n % 40}`, config.timings.handshakeHeldMs),
      ),
    );
    for (const client of clients) client.abandon("the crowd is gone");
    expect(await secrets(source)).toContain("genuine");
    expect(await count(source)).toBeLessThan(HANDSHAKES_LIMIT + clients.length);
  });

  test("costs no connection once too many came in a minute, and another source's still does", async () => {
    const source = unique("notion");
    const now = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 3_600_000);
    try {
      for (let n = 0; n < HANDSHAKES_PER_MINUTE; n++) expect(await keepSecret(books.env, config, source, "same")).toBe("kept");
      const nowhere = { HYPERDRIVE: null } as unknown as Env;
      expect(await keepSecret(nowhere, config, source, "same")).toBe("full");
      expect(await keepSecret(books.env, config, unique("notion"), "same")).toBe("kept");
    } finally {
      now.mockRestore();
    }
  });

  test.each([
    ["is empty", ""],
    ["is no secret in size", "x".repeat(2_049)],
    ["holds a NUL", "a\0b"],
  ])("that %s is refused", async (_what, secret) => {
    await expect(keep(unique("notion"), secret)).rejects.toThrow();
  });

  test("is gone after a day", async () => {
    const source = unique("notion");
    await keep(source, "old");
    await keep(source, "new");
    await books.run(`update webhook_handshakes set received_at = now() - interval '25 hours' where source = '${source}' and secret = 'old'`);
    await sweep(books.env, config);
    expect(await secrets(source)).toEqual(["new"]);
    await dropHandshakes(books.db(), 0);
    expect(await secrets(source)).toEqual([]);
  });
});

describe("the admin API", () => {
  test("shows them to operators, newest first, and is not to be cached", async () => {
    const source = unique("notion");
    await keep(source, "first");
    await keep(source, "second");
    const answer = await read(source, "test-admin-token");
    expect(answer).toMatchObject({ status: 200, body: [{ secret: "second" }, { secret: "first" }] });
    const [newest] = answer.body as { receivedAtMs: number }[];
    expect(Math.abs((newest?.receivedAtMs ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect((await read(unique("nobody"), "test-admin-token")).body).toEqual([]);
  });

  test.each([null, "", "wrong"])("shows nothing for the token %s", async (token) => {
    const source = unique("notion");
    await keep(source, "canary-4471");
    const answer = await read(source, token);
    expect(answer.status).toBe(401);
    expect(JSON.stringify(answer.body)).not.toContain("canary");
  });

  test("is not there without ADMIN_TOKEN", async () => {
    const { ADMIN_TOKEN: _, ...without } = books.env as Env & { ADMIN_TOKEN: string };
    const request = new Request("http://localhost/admin/api/sources/notion/handshakes", { headers: { authorization: "Bearer test-admin-token" } });
    expect((await fetchWorker(request, without as Env)).status).toBe(404);
  });
});
