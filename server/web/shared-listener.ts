import type { ChildProcess } from "node:child_process";
import type { Server as HttpServer } from "node:http";
import { createServer, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { stopListeningWhenQuiet } from "@/server/web/stop-listening";

/** Maximum connections that wait while all processes are busy or starting; further ones are closed. */
const MAX_WAITING = 10_000;
/** How long a stop waits for processes to take the connections that were accepted, in milliseconds. */
const HAND_OVER_MS = 5_000;
const POLL_MS = 5;

/** One of several web processes, and the connection that was sent to it but that it has not yet taken. */
interface Receiver {
  process: ChildProcess;
  given: Socket | undefined;
  isStopping: boolean;
}

/**
 * Listens for several web processes and sends each connection to one of them, in turn. If a process dies before it takes its
 * connection, another one gets it, and a stop first distributes all accepted connections: none is accepted and then lost.
 */
export class SharedListener {
  readonly #server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => this.#accept(socket));
  /** Processes that can take a connection, the longest waiting first. */
  #free: Receiver[] = [];
  readonly #receivers = new Set<Receiver>();
  readonly #waiting: Socket[] = [];

  /** Rejects if it cannot listen on the port. */
  listen(port: number, host: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, resolve);
    });
  }

  /** Sends connections to this process too, until it exits or announces that it stops. */
  add(process: ChildProcess): void {
    const receiver: Receiver = { process, given: undefined, isStopping: false };
    this.#receivers.add(receiver);
    this.#free.push(receiver);
    process.on("message", (message: { type?: unknown }) => {
      if (message.type === "connection_taken") this.#taken(receiver);
      if (message.type === "stopping") this.#leaveOut(receiver);
    });
    process.once("exit", () => {
      this.#receivers.delete(receiver);
      this.#leaveOut(receiver);
      if (receiver.given) this.#waiting.unshift(receiver.given);
      this.#handOver();
    });
    this.#handOver();
  }

  /** Stops listening. Resolves when the processes have taken all accepted connections. */
  async close(): Promise<void> {
    await stopListeningWhenQuiet(this.#server);
    const giveUp = performance.now() + HAND_OVER_MS;
    const isUnderWay = () => this.#waiting.length > 0 || [...this.#receivers].some(({ given }) => given);
    while (isUnderWay() && this.#receivers.size > 0 && performance.now() < giveUp) await delay(POLL_MS);
    for (const socket of this.#waiting.splice(0)) socket.destroy();
  }

  #accept(socket: Socket): void {
    socket.on("error", () => {});
    if (this.#waiting.length >= MAX_WAITING) return void socket.destroy();
    this.#waiting.push(socket);
    this.#handOver();
  }

  #handOver(): void {
    for (let next = this.#free[0]; next && this.#waiting.length > 0; next = this.#free[0]) {
      this.#free.shift();
      next.given = this.#waiting.shift();
      // Stays open here until the process has taken it, so that another process can get it if this one dies.
      next.process.send({ type: "connection" }, next.given, { keepOpen: true }, () => {});
    }
  }

  #taken(receiver: Receiver): void {
    receiver.given?.destroy();
    receiver.given = undefined;
    if (receiver.isStopping) return;
    this.#free.push(receiver);
    this.#handOver();
  }

  #leaveOut(receiver: Receiver): void {
    receiver.isStopping = true;
    this.#free = this.#free.filter((other) => other !== receiver);
  }
}

/** The web process's side: serves the supervisor's connections as if `server` listened itself. */
export function receiveConnections(server: HttpServer): void {
  process.on("message", (message: { type?: unknown }, socket: unknown) => {
    if (message.type !== "connection") return;
    process.send?.({ type: "connection_taken" });
    // The client may have disconnected.
    if (!(socket instanceof Socket)) return;
    // Like Node's own server: a client may close its half after the request and still gets the response.
    socket.allowHalfOpen = true;
    server.emit("connection", socket);
  });
  // Node starts to enforce the time limits of requests when a server listens.
  server.emit("listening");
  process.send?.({ type: "ready" });
}
