/** A TCP proxy before Postgres that breaks the wire on request. Each test opens gates of its own over HTTP, so tests share nothing. */
import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import { type ClientMessage, ClientMessages, errorResponse } from "./postgres-wire.ts";

/** What a gate does to its connections. `at` is text that a statement contains; only the first such statement is hit. */
export type Fault =
  | { readonly kind: "none" }
  | { readonly kind: "refuse" }
  /** Accepted, then closed or reset before a byte is answered; or never answered. */
  | { readonly kind: "close" | "reset" | "silence" }
  /** The server's own FATAL error, instead of an answer to the start-up message; the first so many times, if not for ever. */
  | { readonly kind: "fatal-start"; readonly sqlstate: string; readonly message: string; readonly times?: number }
  /** A slow line: each piece of either direction is this late. */
  | { readonly kind: "slow"; readonly ms: number }
  /** The statement, and what the client sends behind it, reaches the server this much later. */
  | { readonly kind: "delay"; readonly at: string; readonly ms: number }
  /** The same, instead of an answer to a statement. */
  | { readonly kind: "fatal"; readonly at: string; readonly sqlstate: string; readonly message: string }
  /** The statement does not reach the server; then the line is cut. */
  | { readonly kind: "cut-before"; readonly at: string; readonly how: Cut }
  /** The server has executed the statement; the line is cut after so many bytes of its answer. */
  | { readonly kind: "cut-after"; readonly at: string; readonly how: Cut; readonly answeredBytes: number };

export type Cut = "close" | "reset" | "silence";

export interface GateState {
  /** How often somebody connected. */
  readonly connections: number;
  /** Clients that are connected now. */
  readonly live: number;
  /** Every statement that a client asked to prepare, and the name that it gave. */
  readonly prepared: readonly { readonly name: string; readonly text: string }[];
  /** Every statement that a client asked to execute, in order. */
  readonly executed: readonly string[];
}

export interface FaultProxy {
  readonly controlUrl: string;
}

/** Control: POST / with a Fault as JSON opens a gate and answers { port }; GET /<port> answers its GateState. All on loopback; it keeps no process alive. */
export async function startFaultProxy(postgresPort: number): Promise<FaultProxy> {
  const gates = new Map<number, Gate>();
  const control = createHttpServer((request, response) => {
    const answer = async (): Promise<unknown> => {
      if (request.method !== "POST") return gates.get(Number(request.url?.slice(1)))?.state() ?? null;
      const gate = new Gate(JSON.parse(await textOf(request)) as Fault, postgresPort);
      const port = await gate.open();
      gates.set(port, gate);
      return { port };
    };
    answer().then(
      (value) => response.end(JSON.stringify(value)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  const port = await listen(control);
  return { controlUrl: `http://127.0.0.1:${port}` };
}

export class Gate {
  #fault: Fault;
  readonly #postgresPort: number;
  readonly #server: Server;
  readonly #live = new Set<Socket>();
  readonly #prepared: { name: string; text: string }[] = [];
  readonly #executed: string[] = [];
  #connections = 0;
  #hit = false;

  constructor(fault: Fault, postgresPort: number) {
    this.#fault = fault;
    this.#postgresPort = postgresPort;
    this.#server = createServer({ noDelay: true }, (client) => this.#accept(client));
  }

  async open(): Promise<number> {
    const port = await listen(this.#server);
    if (this.#fault.kind === "refuse") this.#server.close();
    return port;
  }

  /** From now on, for the connections that it has too. `refuse` cannot follow another fault: nobody would listen any more. */
  become(fault: Exclude<Fault, { readonly kind: "refuse" }>): void {
    this.#fault = fault;
    this.#hit = false;
  }

  /** Whether the statement that the fault waits for has come. */
  get hasStruck(): boolean {
    return this.#hit;
  }

  state(): GateState {
    return { connections: this.#connections, live: this.#live.size, prepared: this.#prepared, executed: this.#executed };
  }

  #accept(client: Socket): void {
    const fault = this.#fault;
    this.#connections += 1;
    this.#live.add(client);
    client.on("close", () => this.#live.delete(client));
    client.on("error", () => {});
    switch (fault.kind) {
      case "close":
      case "reset":
        cut(client, fault.kind);
        return;
      case "silence":
        client.resume();
        return;
      case "fatal-start":
        if (this.#connections > (fault.times ?? Number.POSITIVE_INFINITY)) this.#relay(client);
        else client.once("data", () => client.end(errorResponse(fault.sqlstate, fault.message)));
        return;
      case "slow":
      case "delay":
      case "none":
      case "refuse":
      case "fatal":
      case "cut-before":
      case "cut-after":
        this.#relay(client);
    }
  }

  #relay(client: Socket): void {
    const server = connect({ port: this.#postgresPort, host: "127.0.0.1", noDelay: true });
    const messages = new ClientMessages();
    /** Bytes of the answer that may still pass; null: all. */
    let allowance: number | null = null;
    let isCut = false;
    const toServer = new Delayed((bytes) => void server.write(bytes));
    const toClient = new Delayed((bytes) => void client.write(bytes));
    const lateMs = this.#fault.kind === "slow" ? this.#fault.ms : 0;
    const sever = (how: Cut): void => {
      isCut = true;
      server.destroy();
      cut(client, how);
    };
    server.on("error", () => client.destroy());
    server.on("close", () => isCut || client.end());
    client.on("close", () => server.destroy());
    client.on("data", (bytes) => {
      for (const message of isCut ? [] : messages.read(bytes)) {
        const fault = this.#note(message);
        if (fault?.kind === "fatal") {
          isCut = true;
          server.destroy();
          client.end(errorResponse(fault.sqlstate, fault.message));
        } else if (fault?.kind === "cut-before") sever(fault.how);
        else if (fault?.kind === "cut-after") allowance = fault.answeredBytes;
        if (isCut) return;
        toServer.write(message.bytes, fault?.kind === "delay" ? fault.ms : lateMs);
      }
    });
    server.on("data", (bytes) => {
      if (isCut) return;
      toClient.write(allowance === null ? bytes : bytes.subarray(0, allowance), lateMs);
      if (allowance !== null && this.#fault.kind === "cut-after") sever(this.#fault.how);
    });
  }

  /** Writes down what the client asks for; returns the fault if this is its moment. */
  #note(message: ClientMessage): Fault | null {
    if (message.kind === "parse") this.#prepared.push({ name: message.name, text: message.text });
    if (message.kind === "execute") this.#executed.push(message.text);
    const fault = this.#fault;
    if (this.#hit || message.kind === "other" || !("at" in fault) || !message.text.includes(fault.at)) return null;
    // The answer to preparing it is not the answer that a cut after it is about.
    if (fault.kind === "cut-after" && message.kind !== "execute") return null;
    this.#hit = true;
    return fault;
  }
}

/** In order: what is not late itself waits for what is before it. */
class Delayed {
  readonly #write: (bytes: Buffer | string) => void;
  #before: Promise<void> | null = null;

  constructor(write: (bytes: Buffer | string) => void) {
    this.#write = write;
  }

  write(bytes: Buffer | string, ms: number): void {
    if (ms === 0 && this.#before === null) {
      this.#write(bytes);
      return;
    }
    const late = new Promise<void>((resolve) => setTimeout(resolve, ms));
    this.#before = this.#after(this.#before, late, bytes);
  }

  async #after(before: Promise<void> | null, late: Promise<void>, bytes: Buffer | string): Promise<void> {
    await Promise.all([before, late]);
    this.#write(bytes);
  }
}

function cut(client: Socket, how: Cut): void {
  switch (how) {
    case "close":
      client.end();
      return;
    case "reset":
      client.resetAndDestroy();
      return;
    case "silence":
      client.resume();
  }
}

function listen(server: Server): Promise<number> {
  server.unref();
  return new Promise((resolve, reject) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address !== null && typeof address === "object") resolve(address.port);
      else reject(new Error("the proxy has no port"));
    });
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}
