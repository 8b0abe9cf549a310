import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** How often connections are looked at while the server stops, in milliseconds. One that is idle at two looks is closed. */
const LOOK_MS = 50;
/** A request whose head has not arrived this long after the stop was requested is not waited for, in milliseconds. */
const HEAD_MS = 5_000;

/** The open connections of an HTTP server, and the answers that each of them still owes. */
export class Connections {
  readonly #answers = new Map<Socket, ServerResponse[]>();
  /** Whose last answer says `Connection: close`. */
  readonly #closing = new WeakSet<Socket>();
  #isStopping = false;
  #isCut = false;

  /** `isReceiving` tells whether a part of a request's head has arrived on a connection, or an answer to what is no request is due. */
  constructor(
    server: Server,
    private readonly isReceiving: (socket: Socket) => boolean,
  ) {
    server.on("connection", (socket: Socket) => {
      this.#answers.set(socket, []);
      socket.once("close", () => this.#answers.delete(socket));
    });
  }

  get count(): number {
    return this.#answers.size;
  }

  /** Makes room for a new connection: closes the one that was opened first of those that owe no answer. */
  closeOldestIdle(): void {
    for (const [socket, answers] of this.#answers) {
      if (answers.length === 0 && !socket.destroyed) return void socket.destroy();
    }
  }

  isAnswering(socket: Socket): boolean {
    return (this.#answers.get(socket)?.length ?? 0) > 0;
  }

  /**
   * Notes that a request is being answered. False when an earlier answer on its connection says that it is the last: the request
   * must not be processed (RFC 9112, 9.6).
   */
  begin(socket: Socket, response: ServerResponse): boolean {
    if (this.#closing.has(socket)) return false;
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
   * Closes each connection after the answers it owes, and idle ones at once. Resolves when none is left. Node's
   * `closeIdleConnections` is not used: it cuts answers that are written but not yet sent.
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
      await delay(LOOK_MS);
      // What had arrived by now has been read: closing a connection with unread bytes would lose a request.
      await new Promise(setImmediate);
      const idle = new Set<Socket>();
      for (const [socket, answers] of this.#answers) {
        if (this.#isCut) socket.destroy();
        if (answers.length > 0 || socket.writableLength > 0) continue;
        if (this.isReceiving(socket) && performance.now() < headsUntil) continue;
        if (idleBefore.has(socket)) socket.destroy();
        else idle.add(socket);
      }
      idleBefore = idle;
    }
  }

  /** Closes all connections now, whatever they are doing; for a stop whose grace period is over. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#answers.keys()) socket.destroy();
  }
}
