import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { choosePort, FIRST_PORT, isPortFree } from "../../../cli/dev/port.ts";

const busy =
  (...ports: number[]) =>
  async (port: number): Promise<boolean> =>
    !ports.includes(port);

describe("choosePort", () => {
  it("takes the first free one from 8787 on", async () => {
    expect(await choosePort(null, busy())).toEqual({ ok: true, port: 8787 });
    expect(await choosePort(null, busy(FIRST_PORT, FIRST_PORT + 1))).toEqual({ ok: true, port: FIRST_PORT + 2 });
  });

  it("never replaces the one that was asked for", async () => {
    expect(await choosePort(9000, busy())).toEqual({ ok: true, port: 9000 });
    expect(await choosePort(9000, busy(9000))).toMatchObject({ ok: false, sentence: expect.stringContaining("port 9000 is in use") as string });
  });

  it("gives up with a sentence", async () => {
    expect(await choosePort(null, async () => false)).toMatchObject({ ok: false, sentence: expect.stringContaining("--port") as string });
  });
});

describe("isPortFree", () => {
  it("sees a listener", async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      });
    });
    expect(await isPortFree(port)).toBe(false);
    await new Promise((resolve) => server.close(resolve));
    expect(await isPortFree(port)).toBe(true);
  });
});
