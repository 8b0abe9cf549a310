import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** How often connections are checked while the server stops, in milliseconds. A connection is closed if it is idle in two checks. */
const CHECK_INTERVAL_MS = 50;
/** How long a stop waits for the head of a request that is arriving, in milliseconds. */
const HEAD_MS = 5_000;
/** How long a new connection may take to begin its first request, in milliseconds: a busy proxy connects before it sends. */
const FIRST_REQUEST_MS = 2_000;

/** The open connections of an HTTP server, and the pending responses of each. */
export class Connections {
  readonly #answers = new Map<Socket, ServerResponse[]>();
  /** When each connection without a request yet was accepted. */
  readonly #newSince = new WeakMap<Socket, number>();
  /** The last request of each connection, also after its response. */
  readonly #lastRequests = new WeakMap<Socket, IncomingMessage>();
  /** Connections whose last response has `Connection: close`. */
  readonly #closing = new WeakSet<Socket>();
  #isStopping = false;
  #isCut = false;

  /** `isReceiving`: whether part of a request's head has arrived, or bytes that are not a request await their response. */
  constructor(
    server: Server,
    private readonly isReceiving: (socket: Socket) => boolean,
  ) {
    server.on("connection", (socket: Socket) => {
      this.#answers.set(socket, []);
      this.#newSince.set(socket, performance.now());
      socket.once("close", () => this.#answers.delete(socket));
    });
  }

  get count(): number {
    return this.#answers.size;
  }

  /** Makes room for a new connection: closes the oldest one without a pending response. */
  closeOldestIdle(): void {
    for (const [socket, answers] of this.#answers) {
      if (answers.length === 0 && !socket.destroyed) return void socket.destroy();
    }
  }

  isAnswering(socket: Socket): boolean {
    return (this.#answers.get(socket)?.length ?? 0) > 0;
  }

  /** Whether part of the body of the connection's last request has yet to arrive, also if the request was answered before. */
  isReceivingBody(socket: Socket): boolean {
    return this.#lastRequests.get(socket)?.complete === false;
  }

  /** Resolves when the connection's pending responses are complete, or the connection is closed. */
  answered(socket: Socket): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!this.isAnswering(socket)) resolve();
      };
      for (const response of this.#answers.get(socket) ?? []) response.once("close", check);
      socket.once("close", () => resolve());
      check();
    });
  }

  /**
   * Registers a response. Returns false if an earlier response on its connection is the last one: the request must not be
   * processed then (RFC 9112, 9.6).
   */
  begin(socket: Socket, response: ServerResponse): boolean {
    if (this.#closing.has(socket)) return false;
    this.#newSince.delete(socket);
    this.#lastRequests.set(socket, response.req);
    const answers = this.#answers.get(socket) ?? [];
    answers.push(response);
    response.once("close", () => answers.splice(answers.indexOf(response), 1));
    if (this.#isStopping) this.#makeLast(socket, response);
    return true;
  }

  #makeLast(socket: Socket, response: ServerResponse): void {
    if (response.headersSent) return;
    response.shouldKeepAlive = false;
    this.#closing.add(socket);
  }

  /**
   * Closes each connection after its pending responses, and idle ones immediately, unless they are new. Resolves when none is left.
   * Does not use Node's `closeIdleConnections`, which cuts off responses that are written but not yet sent.
   */
  async close(): Promise<void> {
    this.#isStopping = true;
    const headsUntil = performance.now() + HEAD_MS;
    for (const [socket, answers] of this.#answers) {
      const last = answers.at(-1);
      if (last) this.#makeLast(socket, last);
    }
    let idleBefore = new Set<Socket>();
    while (this.#answers.size > 0) {
      await delay(CHECK_INTERVAL_MS);
      // Lets Node.js read the bytes that have arrived: closing a connection with unread bytes would lose a request.
      await new Promise(setImmediate);
      const idle = new Set<Socket>();
      for (const [socket, answers] of this.#answers) {
        if (this.#isCut) socket.destroy();
        if (answers.length > 0 || socket.writableLength > 0) continue;
        if (this.isReceiving(socket) && performance.now() < headsUntil) continue;
        if (performance.now() - (this.#newSince.get(socket) ?? Number.NEGATIVE_INFINITY) < FIRST_REQUEST_MS) continue;
        if (idleBefore.has(socket)) socket.destroy();
        else idle.add(socket);
      }
      idleBefore = idle;
    }
  }

  /** Closes all connections immediately, at the end of the grace period of a stop. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#answers.keys()) socket.destroy();
  }
}
