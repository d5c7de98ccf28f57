import { describe, expect, it } from "vitest";
import { addressGroup, operatorName, sessionFrom, sessionText, wayBack } from "../../../src/core/sign-in.ts";

const NOW_MS = 1_800_000_000_000;
const SESSION_MS = 12 * 3_600_000;

describe("an operator's name", () => {
  it.each([
    ["Ada", "Ada"],
    ["  Ada \t Lovelace ", "Ada Lovelace"],
    ["Ada\r\nSet-Cookie: a=b", "Ada Set-Cookie: a=b"],
    ["Ada\u2028two\u2029lines\u0085", "Ada two lines"],
    ["\u202Eadmin\u2066\u200B\u0000\u001B[31m", "admin[31m"],
    ["half \uD83D", "half"],
    ["Zoë 李 👩‍🚒", "Zoë 李 👩🚒"],
    ["a.b@example.com", "a.b@example.com"],
  ])("%j is %j", (given, name) => {
    expect(operatorName(given)).toBe(name);
  });

  it.each(["", "   ", "\r\n", "\u0000\u202E"])("%j is none", (given) => {
    expect(operatorName(given)).toBeNull();
  });

  it("of ten thousand letters is 80, none of them cut in two", () => {
    expect(operatorName("👩".repeat(10_000))).toBe("👩".repeat(80));
    expect(operatorName("x".repeat(79) + "   y".repeat(100))).toBe("x".repeat(79));
  });
});

describe("a session", () => {
  const text = sessionText({ name: "Ada 2.0", expiresAtMs: NOW_MS + SESSION_MS });

  it("names its operator until it ends", () => {
    expect(sessionFrom(text, NOW_MS, SESSION_MS)).toEqual({ name: "Ada 2.0", expiresAtMs: NOW_MS + SESSION_MS });
    expect(sessionFrom(text, NOW_MS + SESSION_MS - 1, SESSION_MS)).not.toBeNull();
    expect(sessionFrom(text, NOW_MS + SESSION_MS, SESSION_MS)).toBeNull();
  });

  it("that ends later than one made now is not ours, but for a minute of other clocks", () => {
    expect(sessionFrom(text, NOW_MS - 60_000, SESSION_MS)).not.toBeNull();
    expect(sessionFrom(text, NOW_MS - 60_001, SESSION_MS)).toBeNull();
    expect(sessionFrom("9".repeat(15) + ".Ada", NOW_MS, SESSION_MS)).toBeNull();
    expect(sessionFrom("9".repeat(400) + ".Ada", NOW_MS, SESSION_MS)).toBeNull();
  });

  it.each(["", ".", "Ada", `${NOW_MS + 1}`, `${NOW_MS + 1}.`, `${NOW_MS + 1}. \n`, "NaN.Ada", "-1.Ada", "1e15.Ada", `0x${NOW_MS}.Ada`])(
    "is not %j",
    (given) => {
      expect(sessionFrom(given, NOW_MS, SESSION_MS)).toBeNull();
    },
  );
});

describe("the way back after a sign-in", () => {
  it.each(["/admin", "/admin/", "/admin/events?status=failed&source=stripe", "/admin/events/stripe/evt%2F1%3Fa", "/admin//evil.example"])(
    "is %s itself",
    (next) => {
      expect(wayBack(next)).toBe(next);
    },
  );

  it.each([
    undefined,
    null,
    "",
    "events",
    "/",
    "/administrator",
    "/webhooks/stripe",
    "//evil.example",
    "//evil.example/admin",
    "///evil.example/admin",
    "/\\evil.example/admin",
    "\\\\evil.example\\admin",
    "https://evil.example/admin",
    "https:evil.example/admin",
    "javascript:alert(1)",
    "/admin/../webhooks/stripe",
    "/admin/%2e%2e/webhooks/stripe",
    "/admin/..\\webhooks",
    "/admin\t/../../webhooks",
    "/admin/.%2E//evil.example",
    "/admin@evil.example",
    " /admin/events",
    "/admin/login",
    "/admin//login?next=/admin/login",
    "/admin/LOGOUT",
    "/admin/logout",
    `/admin/${"a".repeat(2_000)}`,
  ])("is the console's first page instead of %j", (next) => {
    expect(wayBack(next)).toBe("/admin");
  });

  it("cannot break out of a header", () => {
    expect(wayBack("/admin/events\r\nset-cookie: a=b")).toBe("/admin/eventsset-cookie:%20a=b");
    expect(wayBack('/admin/"><script>?"><script>é')).toMatch(/^[\x21-\x7E]+$/);
  });
});

describe("attempts count together", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:0001:2::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1:2:3:4:5", "fe80:0:0:1::/64"],
    ["::", "0:0:0:0::/64"],
  ])("from %s as %s", (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });
});
