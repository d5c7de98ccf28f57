/** Secrets that providers hand over: few, for a day, for operators alone. */
import { beforeAll, describe, expect, test } from "vitest";
import { openClient } from "../../src/store/client.ts";
import { dropHandshakes, keepHandshake, readHandshakes } from "../../src/store/statements/handshakes.ts";
import { sweep } from "../../src/sweep.ts";
import { config, type Ledger, ledger, unique } from "../support/ledger.ts";
import { fetchWorker } from "../support/requests.ts";

let books: Ledger;
beforeAll(async () => {
  books = await ledger("handshakes");
});

const secrets = async (source: string) => (await readHandshakes(books.db(), source)).map((one) => one.secret);
const count = async (source: string) => (await books.run(`select count(*)::int as n from webhook_handshakes where source = '${source}'`))[0]?.["n"];
const read = (source: string, token: string | null) =>
  fetchWorker(
    new Request(`http://localhost/admin/api/sources/${source}/handshakes`, { headers: token === null ? {} : { authorization: `Bearer ${token}` } }),
    books.env,
  );

describe("a secret that a provider sent", () => {
  test("is kept with the newest four, the newest first", async () => {
    const source = unique("notion");
    for (let n = 1; n <= 8; n++) await keepHandshake(books.db(), source, `secret-${n}`);
    expect(await secrets(source)).toEqual(["secret-8", "secret-7", "secret-6", "secret-5", "secret-4"]);
    expect(await count(source)).toBe(5);
  });

  test("again is the same one, and now the newest", async () => {
    const source = unique("notion");
    for (const secret of ["one", "two", "one"]) await keepHandshake(books.db(), source, secret);
    expect(await secrets(source)).toEqual(["one", "two"]);
    for (const secret of ["three", "four", "five", "one"]) await keepHandshake(books.db(), source, secret);
    expect(await secrets(source)).toEqual(["one", "five", "four", "three", "two"]);
  });

  test("pushes out nobody else's", async () => {
    const [mine, other] = [unique("notion"), unique("asana")];
    await keepHandshake(books.db(), other, "theirs");
    for (let n = 1; n <= 6; n++) await keepHandshake(books.db(), mine, `secret-${n}`);
    expect(await secrets(other)).toEqual(["theirs"]);
  });

  test("posted by a crowd at once stays few, and fails nobody", async () => {
    const source = unique("notion");
    const clients = Array.from({ length: 4 }, () => openClient(books.env.HYPERDRIVE, config.timings));
    await Promise.all(Array.from({ length: 40 }, (_, n) => keepHandshake(clients[n % 4]?.db ?? books.db(), source, `secret-${n % 20}`)));
    for (const client of clients) client.abandon("the crowd is gone");
    await keepHandshake(books.db(), source, "last");
    expect((await secrets(source))[0]).toBe("last");
    expect(await count(source)).toBe(5);
  });

  test.each([
    ["is empty", ""],
    ["is no secret in size", "x".repeat(2_049)],
    ["holds a NUL", "a\0b"],
  ])("that %s is refused", async (_what, secret) => {
    await expect(keepHandshake(books.db(), unique("notion"), secret)).rejects.toThrow();
  });

  test("is gone after a day", async () => {
    const source = unique("notion");
    await keepHandshake(books.db(), source, "old");
    await keepHandshake(books.db(), source, "new");
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
    await keepHandshake(books.db(), source, "first");
    await keepHandshake(books.db(), source, "second");
    const answer = await read(source, "test-admin-token");
    expect(answer).toMatchObject({ status: 200, body: [{ secret: "second" }, { secret: "first" }] });
    const [newest] = answer.body as { receivedAtMs: number }[];
    expect(Math.abs((newest?.receivedAtMs ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect((await read(unique("nobody"), "test-admin-token")).body).toEqual([]);
  });

  test.each([null, "", "wrong"])("shows nothing for the token %s", async (token) => {
    const source = unique("notion");
    await keepHandshake(books.db(), source, "canary-4471");
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
