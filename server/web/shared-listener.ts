import type { ChildProcess } from "node:child_process";
import type { Server as HttpServer } from "node:http";
import { createServer, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { quietMoment } from "@/server/web/quiet-moment";

/** Connections that wait for a process, as all are busy or being started; later ones are closed. */
const MAX_WAITING = 10_000;
/** How long a stop waits for processes to take the connections that were accepted, in milliseconds. */
const HAND_OVER_MS = 5_000;
const POLL_MS = 5;

/** One of several web processes, and the connection that it was given and has not taken yet. */
interface Receiver {
  process: ChildProcess;
  given: Socket | undefined;
  isStopping: boolean;
}

/**
 * Listens for several web processes and hands each connection to one of them, in turn. What a process was given and has not taken when
 * it dies goes to another, and a stop first hands over what was accepted: no connection is accepted and then forgotten.
 */
export class SharedListener {
  readonly #server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => this.#accept(socket));
  /** Those that are free to take a connection, the one that has waited longest first. */
  #free: Receiver[] = [];
  readonly #receivers = new Set<Receiver>();
  readonly #waiting: Socket[] = [];

  /** Rejects when the port cannot be listened on. */
  listen(port: number, host: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, resolve);
    });
  }

  /** Hands connections to this process, too, until it ends or says that it stops. */
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

  /** Stops listening and resolves when the processes have taken what was accepted. */
  async close(): Promise<void> {
    await quietMoment(this.#server);
    this.#server.close();
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
      // Kept open here until it is taken: what a dead process was given can be given to another.
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

/** The other end: serves the connections that the supervisor hands over, as if `server` listened itself. */
export function receiveConnections(server: HttpServer, hasRoom: () => boolean): void {
  process.on("message", (message: { type?: unknown }, socket: unknown) => {
    if (message.type !== "connection") return;
    process.send?.({ type: "connection_taken" });
    // The client may have gone meanwhile.
    if (!(socket instanceof Socket)) return;
    if (!hasRoom()) return void socket.destroy();
    // As Node's own server has it: a client may close its half after the request and still gets the answer.
    socket.allowHalfOpen = true;
    server.emit("connection", socket);
  });
  // Node starts to enforce the time limits of requests when a server listens.
  server.emit("listening");
  process.send?.({ type: "ready" });
}
