/** Shared secrets that travel: what is no secret is none, and a request without one is refused. */
import { expect, it } from "vitest";
import { header } from "../../../src/core/delivery.ts";
import { sign, verify } from "../../../src/schemes/scheme.ts";
import type { BasicScheme, TokenScheme } from "../../../src/schemes/token.ts";
import { at, bytes, NOW_MS, only, request, URL_SIGNED } from "./requests.ts";

const BASIC: BasicScheme = { kind: "basic" };
const TOKEN: TokenScheme = { kind: "token", at: header("authorization"), prefix: "Bearer " };

const outcome = async (scheme: BasicScheme | TokenScheme, secret: string, authorization: string) => {
  const result = await verify(scheme, request({ authorization }, bytes("{}")), only(secret), at());
  return result.ok ? result.value.matched : result.failure.reason;
};

it("a name without a password is no secret: anybody can guess it", async () => {
  for (const secret of ["user:", ":", "user", ""]) expect(await outcome(BASIC, secret, `Basic ${btoa(secret)}`), secret).toBe("secret_malformed");
  expect(await outcome(BASIC, "user:p", `Basic ${btoa("user:p")}`)).toBe("current");
  expect(await outcome(BASIC, ":p", `Basic ${btoa(":p")}`)).toBe("current");
  expect(await outcome(BASIC, "user:a:b", `basic ${btoa("user:a:b")}`)).toBe("current");
});

it("an empty token is no secret, and proves nothing", async () => {
  for (const secret of ["", "  "]) expect(await outcome(TOKEN, secret, `Bearer ${secret}`), JSON.stringify(secret)).toBe("secret_malformed");
  for (const text of ["Bearer", "Bearer ", "bearer   "]) expect(await outcome(TOKEN, "t", text), text).toBe("signature_malformed");
  expect(await outcome(TOKEN, "t", "Bearer t")).toBe("current");
});

it("nothing is signed with what is no secret", async () => {
  const outgoing = { method: "POST", url: URL_SIGNED, headers: {}, id: "1", timestampMs: NOW_MS, body: bytes("{}") };
  await expect(sign(BASIC, outgoing, { secret: "user:", privateKey: null })).rejects.toThrow(TypeError);
  await expect(sign(TOKEN, outgoing, { secret: "", privateKey: null })).rejects.toThrow(TypeError);
});
