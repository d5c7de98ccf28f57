/** GET /readyz: ready only with a ledger that answers, every migration and every secret; looked up once, whoever asks; no word that helps a stranger. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Ledger, ledger } from "../support/ledger.ts";
import { fetchWorker } from "../support/requests.ts";

let books: Ledger;
let connections = 0;
/** The ledger's address, counted; a new object each test, since what is found is kept by bindings. */
let bindings: Env;
let connect: () => Socket;

beforeEach(async () => {
  books = await ledger("readyz");
  connections = 0;
  connect = () => books.env.HYPERDRIVE.connect();
  const counted = {
    connectionString: books.env.HYPERDRIVE.connectionString,
    connect: () => {
      connections += 1;
      return connect();
    },
  };
  bindings = { ...books.env, HYPERDRIVE: counted as Hyperdrive };
});

/** A ledger that took the connection and says nothing. */
const silentSocket = () => {
  const silent = {
    opened: Promise.resolve({}),
    closed: new Promise(() => undefined),
    readable: new ReadableStream(),
    writable: new WritableStream(),
    close: async () => undefined,
  };
  return silent as unknown as Socket;
};

const ask = (method = "GET", path = "/readyz") => fetchWorker(new Request(`http://localhost${path}`, { method }), bindings);

test("is ready with a ledger, its migrations and every secret", async () => {
  expect(await ask()).toMatchObject({ status: 200, body: { status: "ready", checks: { database: "ok", migrations: "ok", secrets: "ok" } } });
  expect((await ask()).headers.get("cache-control")).toBe("no-store");
  expect((await ask("HEAD")).status).toBe(200);
  expect((await ask("GET", "/readyz/")).status).toBe(200);
  expect((await ask("POST")).status).toBe(404);
});

describe("is not ready", () => {
  test("while the ledger refuses, and gives no address away", async () => {
    connect = () => {
      throw new Error("connect ECONNREFUSED 10.1.2.3:5432");
    };
    const { status, body } = await ask();
    expect([status, body]).toEqual([503, { status: "not_ready", checks: { database: "no answer", migrations: "not known", secrets: "ok" } }]);
  });

  test("while the ledger is silent, and says so within seconds", async () => {
    connect = silentSocket;
    const startMs = performance.now();
    expect(await ask()).toMatchObject({ status: 503, body: { checks: { database: "no answer" } } });
    expect(performance.now() - startMs).toBeLessThan(10_000);
  });

  test("without the newest migration, and is with a newer one than its own", async () => {
    await books.run("delete from drizzle.holdfast_migrations where created_at = (select max(created_at) from drizzle.holdfast_migrations)");
    expect(await ask()).toMatchObject({
      status: 503,
      body: { checks: { database: "ok", migrations: "migrations/ not all applied: npm run migrate" } },
    });
    bindings = { ...bindings };
    await books.run(`insert into drizzle.holdfast_migrations (hash, created_at) values ('newer', ${Date.now() + 86_400_000})`);
    expect(await ask()).toMatchObject({ status: 200 });
  });

  test("on a database that was never migrated", async () => {
    await books.run("drop schema drizzle cascade");
    expect(await ask()).toMatchObject({ status: 503, body: { checks: { database: "ok", migrations: "none applied: npm run migrate" } } });
  });

  test("without a source's secret, and names the source alone", async () => {
    bindings = { ...bindings, STRIPE_WEBHOOK_SECRET: "" } as Env;
    const { status, body } = await ask();
    expect([status, body]).toMatchObject([503, { checks: { database: "ok", secrets: "missing for stripe" } }]);
  });
});

describe("is looked up", () => {
  test("once by a hundred who ask at once", async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(connections).toBe(1);
  });

  test("again after ten seconds, not before", async () => {
    await ask();
    const now = vi.spyOn(Date, "now");
    const startMs = now.getMockImplementation() === undefined ? new Date().getTime() : 0;
    now.mockReturnValue(startMs + 9_000);
    await ask();
    expect(connections).toBe(1);
    connect = () => {
      throw new Error("refused");
    };
    now.mockReturnValue(startMs + 11_000);
    expect((await ask()).status).toBe(503);
    now.mockReturnValue(startMs + 20_000);
    expect((await ask()).status).toBe(503);
    expect(connections).toBe(2);
    now.mockRestore();
  });

  test("by another, where whoever asked first is gone with his question, whose late answer then counts for nothing", async () => {
    connect = silentSocket;
    const first = ask();
    await vi.waitFor(() => expect(connections).toBe(1));
    connect = () => books.env.HYPERDRIVE.connect();
    const now = vi.spyOn(Date, "now");
    now.mockReturnValue(new Date().getTime() + 5_000);
    expect((await ask()).status).toBe(200);
    expect((await first).status).toBe(503);
    expect((await ask()).status).toBe(200);
    expect(connections).toBe(2);
    now.mockRestore();
  });
});

test("asks nothing of /healthz: alive is alive", async () => {
  connect = () => {
    throw new Error("refused");
  };
  expect((await ask("GET", "/healthz")).status).toBe(200);
  expect(connections).toBe(0);
});
