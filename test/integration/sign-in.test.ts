/** Who may come into /admin, and how every answer there is contained. Attacks first. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { holdfast } from "#holdfast";
import { utf8 } from "../../src/schemes/bytes.ts";
import { type Ledger, ledger, unique } from "../support/ledger.ts";
import { sources } from "../support/own-app.ts";
import { delivery, fetchWorker } from "../support/requests.ts";

const TOKEN = "test-admin-token";
const ORIGIN = "https://hooks.example.test";
const HOUR_MS = 3_600_000;

let books: Ledger;
beforeAll(async () => {
  books = await ledger("sign_in");
});

interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData | Uint8Array;
  readonly origin?: string;
  /** Laid over the bindings; undefined takes one away. */
  readonly bindings?: Readonly<Record<string, unknown>>;
  readonly access?: Partial<CloudflareAccessContext>;
}

/** The answer, with its text and its cookies as they are. */
async function ask(path: string, { method = "GET", headers = {}, body, origin = ORIGIN, bindings = {}, access }: Ask = {}) {
  const merged = Object.entries({ ...books.env, ...bindings }).filter(([, value]) => value !== undefined);
  const context = createExecutionContext();
  if (access !== undefined) Object.defineProperty(context, "access", { value: access });
  const request = new Request(`${origin}${path}`, { method, headers, redirect: "manual", ...(body === undefined ? {} : { body }) });
  const response = await holdfast({ sources, handlers: [] }).fetch(
    request as Request<unknown, IncomingRequestCfProperties>,
    Object.fromEntries(merged) as unknown as Env,
    context,
  );
  const text = await response.text();
  await waitOnExecutionContext(context);
  return {
    status: response.status,
    headers: response.headers,
    text,
    location: response.headers.get("location"),
    cookie: response.headers.get("set-cookie"),
  };
}

const form = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();
const OWN = { "sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded" } as const;

/** The login form, sent from our own page. */
const signIn = (fields: Readonly<Record<string, string>> = {}, more: Ask = {}) =>
  ask("/admin/login", { method: "POST", body: form({ token: TOKEN, name: "Ada", ...fields }), ...more, headers: { ...OWN, ...more.headers } });

/** `name=value` of the cookie that a sign-in sets. */
async function session(fields: Readonly<Record<string, string>> = {}, more: Ask = {}): Promise<string> {
  const { status, cookie } = await signIn(fields, more);
  expect(status).toBe(303);
  return cookie?.split(";")[0] ?? "";
}

/** A path that answers 200 with the operator's rights and needs the ledger. */
const READ = "/admin/api/sources/nobody/handshakes";
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A cookie that some key signs, as the Worker would. */
async function forge(text: string, token: string, name = "__Secure-holdfast_session", info = "holdfast console session"): Promise<string> {
  const root = await crypto.subtle.importKey("raw", utf8(token), "HKDF", false, ["deriveBits"]);
  const bits = await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: utf8(info) }, root, 256);
  const key = await crypto.subtle.importKey("raw", bits, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8(text)));
  return `${name}=${encodeURIComponent(`${text}.${btoa(String.fromCharCode(...mac))}`)}`;
}
const inHours = (hours: number): number => Date.now() + hours * HOUR_MS;

describe("while nothing is configured", () => {
  const off = { bindings: { ADMIN_TOKEN: undefined } };

  test.each(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("%s anything under /admin is what any unknown path is", async (method) => {
    const nowhere = await ask("/nowhere", { method, ...off });
    expect(nowhere.status).toBe(404);
    for (const path of ["/admin", "/admin/", "/admin/login", "/admin/logout", "/admin/api", READ, "/admin/assets/x.css", "/admin/nowhere"]) {
      const answer = await ask(path, { method, headers: { ...bearer(TOKEN), ...OWN }, ...off });
      expect([path, answer.status, answer.text, [...answer.headers]]).toEqual([path, 404, nowhere.text, [...nowhere.headers]]);
    }
  });

  test.each(["", "   ", "changeme", "fifteen-letters"])("the token %j opens nothing", async (token) => {
    const bindings = { ADMIN_TOKEN: token };
    expect((await ask(READ, { headers: bearer(token), bindings })).status).toBe(404);
    expect((await signIn({ token }, { bindings })).status).toBe(404);
  });
});

describe("the token", () => {
  test("as a bearer opens the API, in any case of the scheme", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER "])
      expect((await ask(READ, { headers: { authorization: `${scheme} ${TOKEN}` } })).status).toBe(200);
  });

  test.each([
    ["none", {}],
    ["an empty one", { authorization: "Bearer " }],
    ["another scheme", { authorization: `Basic ${btoa(`admin:${TOKEN}`)}` }],
    ["no scheme", { authorization: TOKEN }],
    ["another case", bearer(TOKEN.toUpperCase())],
    ["its beginning", bearer(TOKEN.slice(0, -1))],
    ["one letter more", bearer(`${TOKEN}x`)],
    ["ten thousand letters", bearer("x".repeat(10_000))],
    ["two of them", bearer(`${TOKEN}, ${TOKEN}`)],
  ])("%s opens nothing", async (_, headers) => {
    const answer = await ask(READ, { headers });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([401, "application/problem+json"]);
    expect(answer.headers.get("www-authenticate")).toContain("Bearer");
    expect(JSON.parse(answer.text)).toMatchObject({ status: 401, title: "Unauthorized" });
  });

  test("that is wrong is not made good by a session", async () => {
    const cookie = await session();
    expect((await ask(READ, { headers: { cookie } })).status).toBe(200);
    expect((await ask(READ, { headers: { cookie, ...bearer("wrong") } })).status).toBe(401);
  });
});

describe("the form", () => {
  test("is shown to whoever comes without a session, and leads back to where they were", async () => {
    const away = await ask("/admin/events?status=failed&source=stripe");
    expect([away.status, away.location]).toEqual([303, "/admin/login?next=%2Fadmin%2Fevents%3Fstatus%3Dfailed%26source%3Dstripe"]);
    const page = await ask(away.location ?? "");
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
    expect(page.text).toMatch(/^<!doctype html>/i);
    expect(page.text).toContain('value="/admin/events?status=failed&amp;source=stripe"');
    expect((await signIn({ next: "/admin/events?status=failed&source=stripe" })).location).toBe("/admin/events?status=failed&source=stripe");
  });

  test("takes the token and a name, and is recorded", async () => {
    const name = unique("Ada");
    const answer = await signIn({ name: ` ${name} ` });
    expect([answer.status, answer.location]).toEqual([303, "/admin"]);
    expect(await books.run(`select actor, action, source, event_id, details from webhook_audit where actor = '${name}'`)).toEqual([
      { actor: name, action: "signed_in", source: null, event_id: null, details: { via: "session" } },
    ]);
  });

  test("gives a cookie that scripts, other sites, plain http and the webhook routes never see, and that holds no secret", async () => {
    const { cookie } = await signIn();
    const [pair, ...attributes] = (cookie ?? "").split("; ");
    expect(pair).toMatch(/^__Secure-holdfast_session=/);
    expect(attributes.toSorted()).toEqual(["HttpOnly", "Max-Age=43200", "Path=/admin", "SameSite=Strict", "Secure"]);
    expect(decodeURIComponent(pair ?? "")).not.toContain(TOKEN);
    const local = await signIn({}, { origin: "http://localhost:8787" });
    expect(local.cookie).toMatch(/^holdfast_session=/);
    expect(local.cookie).not.toContain("Secure");
  });

  test("says in words what was wrong, and shows nothing of what was typed", async () => {
    const wrong = await signIn({ token: '"><script>alert(1)</script>', name: "<b>Ada", next: '/admin/events?"><script>alert(2)</script>' });
    expect(wrong.status).toBe(401);
    expect(wrong.text).toContain("That is not the ADMIN_TOKEN");
    expect(wrong.text).not.toMatch(/<script>alert|<b>/);
    expect(wrong.cookie).toBeNull();
    const nameless = await signIn({ name: " \u202E\r\n" });
    expect([nameless.status, nameless.cookie]).toEqual([400, null]);
    expect(nameless.text).toContain("Say who you are");
    expect(nameless.text).not.toContain(TOKEN);
  });

  test("leads to no other host and no other part of this one", async () => {
    for (const next of [
      "//evil.example",
      "https://evil.example/admin",
      "/\\evil.example",
      "/admin/../webhooks/stripe",
      "/admin/%2e%2e/x",
      "/admin/login",
    ]) {
      expect([next, (await signIn({ next })).location]).toEqual([next, "/admin"]);
      expect((await ask(`/admin/login?next=${encodeURIComponent(next)}`)).text).toContain('name="next" value="/admin"');
    }
    expect((await signIn({ next: "/admin/events\r\nset-cookie: a=b" })).location).toBe("/admin/eventsset-cookie:%20a=b");
  });

  test("takes line breaks and ten thousand letters for a name, and keeps one line of 80", async () => {
    const name = unique("Eve");
    const cookie = await session({ name: `${name}\r\nset-cookie: x=y${"z".repeat(10_000)}` });
    const [row] = await books.run(`select actor from webhook_audit where actor like '${name}%'`);
    expect(row).toEqual({ actor: `${name} set-cookie: x=y${"z".repeat(80)}`.slice(0, 80) });
    expect((await ask(READ, { headers: { cookie } })).status).toBe(200);
  });

  test("in any encoding but a form's, or with a file for a token, is a wrong token, never an error", async () => {
    const files = new FormData();
    files.set("token", new File([TOKEN], "token.txt"));
    files.set("name", "Ada");
    const bodies: readonly Ask[] = [
      { body: JSON.stringify({ token: TOKEN, name: "Ada" }), headers: { ...OWN, "content-type": "application/json" } },
      { body: "--x\r\nbroken", headers: { ...OWN, "content-type": "multipart/form-data; boundary=x" } },
      { body: files, headers: { "sec-fetch-site": "same-origin" } },
      { body: "", headers: OWN },
      { body: "token[]=a&__proto__=b&token=", headers: OWN },
    ];
    for (const body of bodies) expect((await ask("/admin/login", { method: "POST", ...body })).status).toBe(401);
  });

  test("of more than 64 kB is refused before it is read, however it is sent", async () => {
    const body = utf8(form({ token: "x".repeat(70_000), name: "Ada" }));
    expect((await ask("/admin/login", { method: "POST", body, headers: OWN })).status).toBe(413);
    const chunked = new Request(`${ORIGIN}/admin/login`, { method: "POST", body: new Blob([body]).stream(), headers: OWN });
    expect((await fetchWorker(chunked, books.env)).status).toBe(413);
  });

  test("lets operators in while Postgres is down, and the log says that it was not recorded", async () => {
    const warned = vi.spyOn(console, "warn");
    const down = {
      connectionString: books.env.HYPERDRIVE.connectionString,
      connect: () => {
        throw new Error("refused");
      },
    };
    expect((await signIn({ name: "Ada" }, { bindings: { HYPERDRIVE: down } })).status).toBe(303);
    expect(warned.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown)).toContainEqual(
      expect.objectContaining({ event: "signed_in", outcome: "not_recorded", operator: "Ada" }),
    );
    warned.mockRestore();
  });

  test("sends on whoever has a session already", async () => {
    const cookie = await session();
    expect((await ask("/admin/login?next=/admin/audit", { headers: { cookie } })).location).toBe("/admin/audit");
  });

  test("asks once more for what a link on another site led to, so that the session's cookie comes along", async () => {
    const page = await ask("/admin/login?next=%2Fadmin%2Fevents", { headers: { "sec-fetch-site": "cross-site" } });
    expect([page.status, page.headers.get("refresh")]).toEqual([200, "0;url=/admin/events"]);
    for (const site of ["same-origin", "none"])
      expect((await ask("/admin/login", { headers: { "sec-fetch-site": site } })).headers.get("refresh")).toBeNull();
  });
});

describe("a session", () => {
  test("names the operator in what they order", async () => {
    const cookie = await session({ name: "Zoë 李" });
    expect((await ask(READ, { headers: { cookie } })).status).toBe(200);
  });

  test("that nobody here signed opens nothing", async () => {
    const real = await session();
    const [name = "", value = ""] = real.split("=");
    const good = `${inHours(12)}.Ada`;
    const cookies = [
      `${name}=`,
      `${name}=${good}`,
      `${name}=${encodeURIComponent(`${good}.${btoa("x".repeat(32))}`)}`,
      `${name}=${value.slice(0, -4)}`,
      `${name}=${value.replace("Ada", "Eve")}`,
      `${name}=%E0%A4%A`,
      `${name}=${"x".repeat(10_000)}`,
      // Another name, another token, the token itself as the key, another use of the token.
      `holdfast_session=${value}`,
      await forge(good, "another-admin-token"),
      await forge(good, TOKEN, name, "another use"),
      // Signed, but not one of ours: over, from the future, without a name.
      await forge(`${inHours(-0.001)}.Ada`, TOKEN),
      await forge(`${inHours(24)}.Ada`, TOKEN),
      await forge(`${inHours(1)}.`, TOKEN),
      await forge("Ada", TOKEN),
    ];
    for (const cookie of cookies) expect([cookie, (await ask(READ, { headers: { cookie } })).status]).toEqual([cookie, 401]);
    for (const cookie of [real, await forge(good, TOKEN)]) expect([cookie, (await ask(READ, { headers: { cookie } })).status]).toEqual([cookie, 200]);
  });

  test("ends with its token", async () => {
    const cookie = await session();
    expect((await ask(READ, { headers: { cookie }, bindings: { ADMIN_TOKEN: "another-admin-token" } })).status).toBe(401);
  });

  test("cannot be laid under somebody before they sign in: signing in makes its own", async () => {
    const before = await forge(`${inHours(1)}.Eve`, "another-admin-token");
    const { cookie } = await signIn({ name: "Ada" }, { headers: { cookie: before } });
    expect(cookie).not.toContain(before.split("=")[1]);
  });

  test("that is over sends a reader to the form, and an order to a page that says that nothing was changed", async () => {
    const cookie = await forge(`${inHours(-1)}.Ada`, TOKEN);
    expect((await ask("/admin/events", { headers: { cookie } })).location).toBe("/admin/login?next=%2Fadmin%2Fevents");
    const order = await ask("/admin/events/generic/x/replay", { method: "POST", headers: { cookie, ...OWN }, body: "" });
    expect([order.status, order.headers.get("content-type")]).toEqual([401, "text/html; charset=UTF-8"]);
    expect(order.text).toContain("nothing was changed");
    expect((await ask("/admin/api/events/generic/x/replay", { method: "POST", headers: { cookie, ...OWN } })).status).toBe(401);
  });

  test("ends with signing out", async () => {
    const cookie = await session();
    const out = await ask("/admin/logout", { method: "POST", headers: { cookie, ...OWN }, body: "" });
    expect([out.status, out.location]).toEqual([303, "/admin/login"]);
    expect(out.cookie).toMatch(/^__Secure-holdfast_session=; Max-Age=0; Path=\/admin/);
  });
});

describe("an order from another site's page", () => {
  const paths = ["/admin/login", "/admin/logout", "/admin/events/generic/x/replay", "/admin/api/events/generic/x/replay"];
  const foreign: readonly Readonly<Record<string, string>>[] = [
    {},
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site", origin: ORIGIN },
    { "sec-fetch-site": "none" },
    { "sec-fetch-site": "" },
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "http://hooks.example.test" },
    { origin: `${ORIGIN}.evil.example` },
    { origin: `${ORIGIN}:444` },
    { referer: `${ORIGIN}/admin` },
  ];

  test.each(paths)("to %s is refused, with a session and under Access, whatever it sends", async (path) => {
    const cookie = await session();
    const access = { aud: "aud-1", getIdentity: async () => ({ email: "ada@example.com" }) };
    for (const headers of foreign) {
      for (const type of ["application/x-www-form-urlencoded", "text/plain", "application/json"]) {
        const body = form({ token: TOKEN, name: "Eve" });
        const by = { method: "POST", body, headers: { ...headers, "content-type": type } };
        const withSession = await ask(path, { ...by, headers: { ...by.headers, cookie } });
        const withAccess = await ask(path, { ...by, access, bindings: { ACCESS_AUD: "aud-1" } });
        for (const answer of [withSession, withAccess]) {
          expect([headers, type, answer.status]).toEqual([headers, type, 403]);
          expect(answer.cookie).toBeNull();
          expect(answer.text).toContain("nothing was changed");
        }
      }
    }
  });

  test("is told from our own by Origin where the browser sends no Sec-Fetch-Site", async () => {
    const cookie = await session();
    const answer = await ask("/admin/api/events/generic/unknown/replay", { method: "POST", headers: { cookie, origin: ORIGIN } });
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text)).toMatchObject({ title: "Unknown event" });
  });

  test("with the token itself is no other site's page", async () => {
    expect(
      (await ask("/admin/api/events/generic/unknown/replay", { method: "POST", headers: { ...bearer(TOKEN), "sec-fetch-site": "cross-site" } }))
        .status,
    ).toBe(404);
  });
});

describe("Cloudflare Access", () => {
  const only = { ADMIN_TOKEN: undefined, ACCESS_AUD: "aud-1" };
  const ada = { aud: "aud-1", getIdentity: async () => ({ email: "ada@example.com" }) };

  test("lets in whom the platform names, without a form", async () => {
    expect((await ask(READ, { bindings: only, access: ada })).status).toBe(200);
    expect((await ask("/admin/login", { bindings: only, access: ada })).location).toBe("/admin");
    expect((await ask("/admin/login", { method: "POST", body: form({ token: "", name: "Eve" }), headers: OWN, bindings: only })).status).toBe(404);
    expect((await ask(READ, { bindings: only, headers: bearer("") })).status).toBe(401);
  });

  test.each<[string, Partial<CloudflareAccessContext> | undefined]>([
    ["did not stand in front", undefined],
    ["let in to another application", { ...ada, aud: "aud-2" }],
    ["does not say to which application", { getIdentity: ada.getIdentity }],
    ["does not say whom", { aud: "aud-1", getIdentity: async () => undefined }],
    ["names nobody", { aud: "aud-1", getIdentity: async () => ({ email: " \u202E" }) }],
    ["cannot be asked", { aud: "aud-1", getIdentity: () => Promise.reject(new Error("unavailable")) }],
  ])("that %s lets nobody in", async (_, access) => {
    // Headers are what anybody can send.
    const headers = { "cf-access-authenticated-user-email": "ada@example.com", "cf-access-jwt-assertion": "x.y.z" };
    const given = { bindings: only, headers, ...(access === undefined ? {} : { access }) };
    expect((await ask(READ, given)).status).toBe(401);
    const page = await ask("/admin", given);
    expect(page.status).toBe(401);
    expect(page.text).toContain("Cloudflare Access did not say who you are");
  });

  test("is not asked where ACCESS_AUD is not set", async () => {
    expect((await ask(READ, { access: ada })).status).toBe(401);
    expect((await ask(READ, { access: { ...ada, aud: "" }, bindings: { ACCESS_AUD: " " } })).status).toBe(401);
  });

  test("beside a token leaves both ways open", async () => {
    const both = { ACCESS_AUD: "aud-1" };
    expect((await ask(READ, { bindings: both, access: ada })).status).toBe(200);
    expect((await ask(READ, { bindings: both, headers: bearer(TOKEN) })).status).toBe(200);
    expect((await ask(READ, { bindings: both, access: ada, headers: bearer("wrong") })).status).toBe(401);
    expect((await ask("/admin", { bindings: both })).location).toBe("/admin/login?next=%2Fadmin");
  });
});

describe("wrong tokens", () => {
  /** Of no other test. */
  let last = 0;
  const address = (): string => `192.0.2.${++last}`;
  /** The counter begins anew with each minute of the clock, so "ten" can be up to twenty. */
  async function guessUntilLocked(from: string, guess: (headers: Record<string, string>) => Promise<{ status: number }>): Promise<number> {
    for (let tries = 1; tries <= 25; tries++) if ((await guess({ "cf-connecting-ip": from })).status === 429) return tries;
    throw new Error("25 wrong tokens, and never told to wait");
  }
  const byBearer = (headers: Record<string, string>) => ask(READ, { headers: { ...headers, ...bearer("wrong") } });
  const byForm = (headers: Record<string, string>) => signIn({ token: "wrong" }, { headers });

  test.each([
    ["in the form", byForm],
    ["as bearers", byBearer],
  ])("%s are ten a minute, then nobody at that address is believed for a while", async (_, guess) => {
    const from = address();
    expect(await guessUntilLocked(from, guess)).toBeGreaterThan(10);
    const headers = { "cf-connecting-ip": from };
    const right = await ask(READ, { headers: { ...headers, ...bearer(TOKEN) } });
    expect([right.status, right.headers.get("retry-after")]).toEqual([429, "60"]);
    const page = await signIn({}, { headers });
    expect([page.status, page.headers.get("retry-after"), page.cookie]).toEqual([429, "60", null]);
    expect(page.text).toContain("wait 60 seconds");
    // Others, and who is in already.
    expect((await ask(READ, { headers: { "cf-connecting-ip": address(), ...bearer(TOKEN) } })).status).toBe(200);
    expect((await ask(READ, { headers: { ...headers, cookie: await session() } })).status).toBe(200);
  });

  test("of one IPv6 subscriber count together", async () => {
    let host = 0;
    const guess = () => byBearer({ "cf-connecting-ip": `2001:db8:0:7::${(++host).toString(16)}` });
    expect(await guessUntilLocked("", guess)).toBeGreaterThan(10);
  });

  test("alone count: a script's right ones are never slowed", async () => {
    const headers = { "cf-connecting-ip": address(), ...bearer(TOKEN) };
    for (let times = 0; times < 30; times++) expect((await ask("/admin/api/nothing", { headers })).status).toBe(404);
  });

  test.each([
    ["is not bound", undefined],
    ["fails", { limit: () => Promise.reject(new Error("unavailable")) }],
    [
      "fails at once",
      {
        limit: () => {
          throw new Error("unavailable");
        },
      },
    ],
  ])("keep nobody out while their counter %s", async (_, counter) => {
    const headers = { "cf-connecting-ip": address() };
    const bindings = { SIGN_IN_LIMIT: counter };
    for (let times = 0; times < 15; times++) expect((await ask(READ, { headers: { ...headers, ...bearer("wrong") }, bindings })).status).toBe(401);
    expect((await ask(READ, { headers: { ...headers, ...bearer(TOKEN) }, bindings })).status).toBe(200);
  });

  test("by the thousand change no delivery's answer", async () => {
    const headers = { "cf-connecting-ip": address() };
    const deliver = async (id: string) => {
      const request = await delivery({ id, headers: { "x-request-id": id, ...headers } });
      const { status, outcome, headers: answered } = await fetchWorker(request, env);
      return [status, outcome, [...answered.keys()]];
    };
    const before = await deliver(unique("evt"));
    for (let times = 0; times < 10; times++) await Promise.all(Array.from({ length: 100 }, () => byBearer(headers)));
    expect((await byBearer(headers)).status).toBe(429);
    expect(await deliver(unique("evt"))).toEqual(before);
    expect(before[0]).toBe(202);
  });
});

describe("every answer under /admin", () => {
  const CONTAINED = {
    "content-security-policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
    "x-robots-tag": "noindex, nofollow",
  } as const;
  const down = {
    connectionString: "postgres://a:b@localhost/c",
    connect: () => {
      throw new Error("refused");
    },
  };

  test.each<[string, string, Ask, number]>([
    ["the form", "/admin/login", {}, 200],
    ["the way to the form", "/admin/events", {}, 303],
    ["a refusal of the API", READ, {}, 401],
    ["a refusal of the console", "/admin/events", { method: "POST" }, 401],
    ["a refusal of another site", "/admin/login", { method: "POST" }, 403],
    ["a body that is too large", "/admin/login", { method: "POST", body: "x".repeat(70_000), headers: OWN }, 413],
    ["an answer", READ, { headers: bearer(TOKEN) }, 200],
    ["an unknown path", "/admin/api/nowhere", { headers: bearer(TOKEN) }, 404],
    ["an unknown asset", "/admin/assets/nothing.css", { headers: bearer(TOKEN) }, 404],
    ["an outage", READ, { headers: bearer(TOKEN), bindings: { HYPERDRIVE: down } }, 503],
    ["a bug", READ, { headers: bearer(TOKEN), bindings: { HYPERDRIVE: undefined } }, 503],
  ])("is contained: %s", async (_, path, how, status) => {
    const answer = await ask(path, how);
    expect(answer.status).toBe(status);
    const names = Object.keys(CONTAINED);
    expect(Object.fromEntries(names.map((name) => [name, answer.headers.get(name)]))).toEqual(CONTAINED);
    expect(answer.headers.get("strict-transport-security")).toBeNull();
  });

  test("and none elsewhere", async () => {
    for (const answer of [
      await ask("/"),
      await ask("/webhooks/stripe"),
      await ask("/webhooks/stripe", { method: "POST", body: "{}" }),
      await ask("/healthz"),
      await ask("/nowhere"),
    ])
      for (const name of ["content-security-policy", "x-frame-options", "referrer-policy", "x-robots-tag", "set-cookie"])
        expect([name, answer.headers.get(name)]).toEqual([name, null]);
  });

  test("says nothing of the token in a log", async () => {
    const spies = (["log", "warn", "error"] as const).map((level) => vi.spyOn(console, level));
    await ask(READ, { headers: bearer("canary-wrong-token") });
    await signIn({ token: "canary-wrong-token" });
    const cookie = await session();
    await ask(READ, { headers: { cookie } });
    const lines = spies.flatMap((spy) => spy.mock.calls.map(([line]) => String(line)));
    for (const spy of spies) spy.mockRestore();
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) for (const secret of [TOKEN, "canary-wrong-token", cookie.split("=")[1] ?? "-"]) expect(line).not.toContain(secret);
  });
});
