/** Which port the Worker gets: the one that was asked for or none, else the first free one from 8787 on. */
import { connect, createServer } from "node:net";

export const FIRST_PORT = 8787;
const TRIES = 100;

export type PortChoice = { readonly ok: true; readonly port: number } | { readonly ok: false; readonly sentence: string };

/** A decision over `isFree` alone. */
export async function choosePort(wanted: number | null, isFree: (port: number) => Promise<boolean>): Promise<PortChoice> {
  if (wanted !== null) {
    if (await isFree(wanted)) return { ok: true, port: wanted };
    return { ok: false, sentence: `port ${wanted} is in use: end what listens there, give another --port, or none (then a free one is found).` };
  }
  for (let port = FIRST_PORT; port < FIRST_PORT + TRIES; port++) if (await isFree(port)) return { ok: true, port };
  return { ok: false, sentence: `the ports ${FIRST_PORT} to ${FIRST_PORT + TRIES - 1} are all in use: give --port.` };
}

/** Nobody answers there, and it can be bound: a listener on another address of the same port would answer some of our requests. */
export async function isPortFree(port: number): Promise<boolean> {
  return !(await answers(port, "127.0.0.1")) && !(await answers(port, "::1")) && (await canBind(port));
}

function answers(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 500 });
    const settle = (answer: boolean) => (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", settle(true)).once("error", settle(false)).once("timeout", settle(false));
  });
}

function canBind(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
