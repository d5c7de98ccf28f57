/** The server's messages, however the network cuts them. */
import { expect, test } from "vitest";
import { ServerMessages } from "../../../src/store/server-messages.ts";
import { errorResponse } from "../../support/postgres-wire.ts";

const message = (type: string, ...body: readonly number[]): number[] => [type.charCodeAt(0), 0, 0, 0, body.length + 4, ...body];
const ROW = message("D", 0, 1, 0x5a, 0, 0, 0, 5, 0x49);
const READY = message("Z", 0x49);
const NOTICE = message("N", 0);

test("an answer is owed until the server is ready, wherever the bytes are cut", () => {
  const bytes = Uint8Array.from([...ROW, ...READY, ...NOTICE]);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const messages = new ServerMessages();
    messages.asked();
    messages.read(bytes.subarray(0, cut));
    expect(messages.owesAnswer).toBe(cut < ROW.length + READY.length);
    messages.read(bytes.subarray(cut));
    expect(messages.owesAnswer).toBe(false);
    expect(messages.wasEverReady).toBe(true);
    expect(messages.farewell).toBeNull();
  }
});

test("a notice to an idle client is no question", () => {
  const messages = new ServerMessages();
  messages.read(Uint8Array.from(NOTICE));
  expect(messages.owesAnswer).toBe(false);
});

test("the last words, wherever they are cut", () => {
  const bytes = errorResponse("57P01", "terminating connection – sorry");
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const messages = new ServerMessages();
    messages.read(Uint8Array.from(NOTICE));
    messages.read(bytes.subarray(0, cut));
    messages.read(bytes.subarray(cut));
    expect(messages.farewell).toEqual({ sqlstate: "57P01", message: "terminating connection – sorry" });
  }
});

test("an ordinary error is no farewell", () => {
  const messages = new ServerMessages();
  messages.read(Uint8Array.from(message("E", ...new TextEncoder().encode("SERROR\0VERROR\0C23505\0Mduplicate\0\0"))));
  expect(messages.farewell).toBeNull();
});
