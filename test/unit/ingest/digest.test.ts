/** SHA-256, FIPS 180-4: the standard's own vectors, and views. */
import { expect, it } from "vitest";
import { sha256Hex } from "../../../src/digest.ts";
import { bytes } from "../schemes/requests.ts";

it.each([
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
])("%j", async (text, digest) => {
  expect(await sha256Hex(bytes(text))).toBe(digest);
  expect(await sha256Hex(bytes(`x${text}x`).subarray(1, 1 + text.length))).toBe(digest);
});
