/** What postgres.js is told by a line that is dead, at the moments that a real wire seldom hits. The wire itself: test/fault. */
import { expect, test } from "vitest";
import { ConnectionLost, singleUseLine } from "../../../src/store/socket.ts";

const limits = { connectMs: 1_000, silenceMs: 1_000 };
const refused = (): never => {
  throw new Error("refused");
};

test("every write after the loss is answered with an error: a commit that was on its way would wait for ever", async () => {
  const { line, socket } = singleUseLine(refused, limits);
  const stream = socket();
  for (let write = 0; write < 2; write += 1) {
    const told = new Promise((resolve) => stream.on("error", resolve));
    (stream as unknown as { write(data: Uint8Array): boolean }).write(new Uint8Array(1));
    expect(await told).toBe(line.lost());
  }
});

test("a socket is connected once, and an abandoned one never", () => {
  const once = singleUseLine(refused, limits);
  once.socket();
  expect(() => once.socket()).toThrow(ConnectionLost);
  let connected = 0;
  const abandoned = singleUseLine(() => {
    connected += 1;
    return refused();
  }, limits);
  abandoned.line.abandon("before it began");
  abandoned.socket();
  expect(connected).toBe(0);
});

test("a loss is told once, and nobody needs to listen", async () => {
  const { line } = singleUseLine(refused, limits);
  line.abandon("first");
  line.abandon("second");
  expect((await line.whenLost).message).toBe("abandoned: first");
});
