import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { connect as connectTls, TLSSocket } from "node:tls";
import { attemptTimeout } from "@/lib/network/attempt-timeout";
import { refuseForbiddenAddress } from "@/lib/network/guarded-lookup";
import { parseName } from "@/lib/network/host";
import { serverNameOf } from "@/lib/network/names/server-name-of";
import { daysLeft, requireDaysLeft } from "@/lib/uptime/checks/assert-response";
import {
  CheckFailure,
  type CheckSettings,
  clock,
  justDo,
  lookup,
  microsecondsSince,
  type ProbeOptions,
  type Seen,
  type Spend,
} from "@/lib/uptime/checks/outcome";
import { ArrivingMatch } from "@/lib/uptime/matching/pattern";
import { TextSearch } from "@/lib/uptime/matching/text-search";
import { parseTcpTarget } from "@/lib/uptime/target";
import type { TcpSettings } from "@/lib/uptime/tcp";

/** Bytes of what a server sends that are compared. */
const MAX_RECEIVED = 4096;
/** In TLS 1.3, a server refuses a client certificate after the handshake; how long to wait for that, in milliseconds. */
const VERDICT_MS = 250;

const PLAIN: TcpSettings = {
  ...{ tls: false, server_name: null, send: null, send_encoding: "text" },
  ...{ expected_text: null, expected_pattern: null },
};

function connectTo(settings: CheckSettings, tcp: TcpSettings, options: ProbeOptions, seen: Seen): Socket {
  const { target, verifyTls, timeoutSeconds } = settings;
  const { host, port } = parseTcpTarget(target);
  refuseForbiddenAddress(host, options);
  const to = { host, port, lookup: lookup(options, seen), ...attemptTimeout(timeoutSeconds * 1000) };
  if (!tcp.tls) return connect(to);
  const secureContext = options.ownContext ?? options.secureContext;
  return connectTls({
    ...to,
    // An earlier release stored it as it was given.
    ...serverNameOf(tcp.server_name === null ? host : parseName(tcp.server_name)),
    ...(secureContext && { secureContext }),
    rejectUnauthorized: verifyTls,
  });
}

/** Whether what a server sends is as expected. */
class Expectation {
  readonly #text: TextSearch | null;
  readonly #pattern: ArrivingMatch | null;
  #received: Buffer = Buffer.alloc(0);

  constructor(
    { expected_text, expected_pattern }: TcpSettings,
    private readonly spend: Spend = justDo,
  ) {
    this.#text = expected_text === null ? null : new TextSearch(expected_text);
    this.#pattern = expected_pattern === null ? null : new ArrivingMatch(expected_pattern, MAX_RECEIVED);
  }

  get isNothing(): boolean {
    return this.#text === null && this.#pattern === null;
  }

  /** What has arrived, at most `MAX_RECEIVED` bytes. */
  get received(): Buffer {
    return this.#received;
  }

  /** Takes what has just arrived. Returns whether what is expected has arrived by now. */
  isMetBy(chunk: Buffer): boolean {
    const added = chunk.subarray(0, MAX_RECEIVED - this.#received.length);
    this.#received = Buffer.concat([this.#received, added]);
    if (this.#text?.add(added) === false) return false;
    return this.#hasPattern(false);
  }

  /** Throws CheckFailure for what is missing at the end. */
  require(): void {
    const detail = this.#received.length === 0 ? "nothing was received" : null;
    if (this.#text?.isFound === false) throw new CheckFailure("text_missing", detail);
    if (!this.#hasPattern(true)) throw new CheckFailure("pattern_missing", detail);
  }

  #hasPattern(isEnd: boolean): boolean {
    return this.spend(() => this.#pattern?.isIn(this.#received, isEnd) !== false);
  }
}

/** Reads until what is expected has arrived. Throws CheckFailure with what was received in `seen`, or the network's error. */
async function requireAnswer(socket: Socket, expectation: Expectation, seen: Seen): Promise<void> {
  const start = performance.now();
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      seen.ttfbUs ??= microsecondsSince(start);
      const isMet = expectation.isMetBy(chunk);
      seen.response = { headers: {}, body: expectation.received };
      if (isMet) return;
      if (expectation.received.length === MAX_RECEIVED) break;
    }
  } catch (error) {
    // What arrived before a timeout or a reset is judged.
    if (expectation.received.length === 0) throw error;
  }
  expectation.require();
}

/** Waits for the server's opinion on the client certificate. Throws CheckFailure if it ends the connection without a word. */
async function isAccepted(socket: Socket): Promise<void> {
  const first = new Promise<"data" | "end">((resolve) => {
    socket.once("data", () => resolve("data"));
    socket.once("end", () => resolve("end"));
    socket.once("close", () => resolve("end"));
  });
  if ((await Promise.race([first, delay(VERDICT_MS)])) !== "end") return;
  throw new CheckFailure("tls_failed", "the server ended the connection after the client certificate");
}

async function close(socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  // Discard anything the server sends.
  socket.resume();
  const closed = once(socket, "close");
  socket.destroySoon();
  await closed;
}

/** Connects, and sends and expects what is set. Throws CheckFailure or the network's error. */
export async function probeTcp(
  settings: CheckSettings,
  options: ProbeOptions,
  seen: Seen,
  signal: AbortSignal,
): Promise<void> {
  const { tcp = PLAIN } = settings.typeSettings;
  const socket = connectTo(settings, tcp, options, seen);
  const failed = new Promise<never>((_, reject) => socket.on("error", reject));
  failed.catch(() => {});
  const stop = () => socket.destroy(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    await Promise.race([failed, new Promise<void>((resolve) => clock(socket, seen, resolve, tcp.tls))]);
    if (socket instanceof TLSSocket) requireDaysLeft(daysLeft(socket), settings.assertions);
    if (tcp.send !== null) socket.write(Buffer.from(tcp.send, tcp.send_encoding === "base64" ? "base64" : "utf8"));
    const expectation = new Expectation(tcp, options.spend);
    if (!expectation.isNothing) await requireAnswer(socket, expectation, seen);
    else if (tcp.tls && options.ownContext) await Promise.race([failed, isAccepted(socket)]);
    await close(socket);
  } finally {
    signal.removeEventListener("abort", stop);
    socket.destroy();
  }
}
