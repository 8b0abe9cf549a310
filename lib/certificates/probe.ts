import { connect as connectTcp, isIP, type Socket } from "node:net";
import { HandshakeError, handshake, type Session } from "@/lib/certificates/handshake";
import type { Failure, Observation } from "@/lib/certificates/observation";
import { isForbidden } from "@/lib/network/guard";
import { type Resolve, resolveHost } from "@/lib/network/resolve";
import type { Network } from "@/lib/networks";

export interface Target {
  /** A name in ASCII, or an address. */
  host: string;
  port: number;
  /** The name sent in the handshake instead of the host. */
  sni: string | null;
}

export interface ProbeOptions {
  /** Otherwise forbidden networks that may be reached. */
  allowedNetworks: readonly Network[];
  /** Milliseconds for everything together; 10 s unless given. */
  deadlineMs?: number;
  resolve?: Resolve;
  /** Gives up without a verdict: the promise rejects. */
  signal?: AbortSignal;
}

const DEADLINE_MS = 10_000;
/** Milliseconds for one of several addresses to answer, so that a silent one leaves time for the next. */
const ATTEMPT_MS = 3_000;
/** For the last address only the overall deadline counts. */
const LONGEST_MS = 2 ** 31 - 1;
const MOST_ADDRESSES = 16;

const REASONS: Record<string, string> = {
  ENOTFOUND: "name_not_found",
  EAI_NONAME: "name_not_found",
  ENODATA: "no_address",
  ETIMEOUT: "timeout",
  EAI_AGAIN: "server_failure",
  ESERVFAIL: "server_failure",
  EREFUSED: "server_failure",
  ECONNREFUSED: "connection_refused",
  ECONNRESET: "connection_reset",
  EHOSTUNREACH: "no_route",
  ENETUNREACH: "no_route",
  EADDRNOTAVAIL: "no_route",
  ETIMEDOUT: "timeout",
};

/** Thrown through a probe to end it with a verdict. */
class ProbeFailure extends Error {
  constructor(readonly failure: Failure) {
    super(failure.reason);
  }
}

/** Why the deadline aborts what is under way; each phase makes its own verdict of it. */
const TIMEOUT = Object.assign(new Error("timeout"), { code: "ETIMEDOUT" });

function failed(kind: Failure["kind"], error: unknown): ProbeFailure {
  if (error instanceof HandshakeError) return new ProbeFailure({ kind, reason: error.reason, detail: error.detail });
  const { code, message } = error as { code?: string; message?: string };
  const detail = error === TIMEOUT ? null : (message ?? null);
  return new ProbeFailure({ kind, reason: REASONS[code ?? ""] ?? "error", detail });
}

function since(start: number): number {
  return Math.round((performance.now() - start) * 10) / 10;
}

/** Settles like `work`, or rejects when `signal` aborts first; `work` is then left to end by itself. */
async function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop = () => {};
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A connection to an address that was checked before: no name is given, so nothing is resolved again. */
function dial(address: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host: address, port, noDelay: true });
    const settle = (error: unknown) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      socket.removeAllListeners();
      if (error === null) return resolve(socket);
      // A destroyed socket may still report; unheard, that would end the process.
      socket.on("error", () => {}).destroy();
      reject(error);
    };
    const stop = () => settle(signal.reason);
    const timer = setTimeout(() => settle(TIMEOUT), timeoutMs);
    socket.once("connect", () => settle(null)).once("error", settle);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
}

/** The first of the addresses that takes a connection; the last one's failure when none does. */
async function dialAny(addresses: readonly string[], port: number, seen: Seen, signal: AbortSignal): Promise<Socket> {
  let last: unknown = TIMEOUT;
  for (const [at, address] of addresses.entries()) {
    const start = performance.now();
    seen.address = address;
    try {
      const patience = at === addresses.length - 1 ? LONGEST_MS : ATTEMPT_MS;
      const socket = await dial(address, port, patience, signal);
      seen.timings.connectMs = since(start);
      return socket;
    } catch (error) {
      last = error;
      if (signal.aborted) break;
    }
  }
  throw failed("unreachable", last);
}

type Seen = Pick<Observation, "observedAt" | "addresses" | "address" | "timings">;

async function look(
  { host, port, sni }: Target,
  options: ProbeOptions,
  seen: Seen,
  signal: AbortSignal,
): Promise<Session> {
  const { allowedNetworks, resolve = resolveHost } = options;
  const start = performance.now();
  try {
    seen.addresses = [...new Set(await unless(signal, resolve(host)))].slice(0, MOST_ADDRESSES);
  } catch (error) {
    throw failed("dns_failure", error);
  }
  if (isIP(host) === 0) seen.timings.dnsMs = since(start);
  if (seen.addresses.length === 0) throw new ProbeFailure({ kind: "dns_failure", reason: "no_address", detail: null });
  const permitted = seen.addresses.filter((address) => !isForbidden(address, allowedNetworks));
  if (permitted.length === 0) {
    seen.address = seen.addresses[0] ?? null;
    throw new ProbeFailure({ kind: "forbidden_address", reason: "forbidden_address", detail: null });
  }
  const socket = await dialAny(permitted, port, seen, signal);
  const connected = performance.now();
  try {
    const session = await handshake(socket, sni ?? host, signal);
    seen.timings.tlsMs = since(connected);
    return session;
  } catch (error) {
    throw failed("tls_handshake_failed", error);
  }
}

/**
 * Looks at what `target` serves: resolves once, refuses forbidden addresses, connects to the first permitted address that answers
 * and shakes hands there, believing nothing. Every failure is part of the answer; it rejects only when `signal` aborts.
 */
export async function probe(target: Target, options: ProbeOptions): Promise<Observation> {
  const { deadlineMs = DEADLINE_MS, signal } = options;
  signal?.throwIfAborted();
  const stopping = new AbortController();
  const stop = () => stopping.abort(signal?.reason);
  const timer = setTimeout(() => stopping.abort(TIMEOUT), deadlineMs);
  signal?.addEventListener("abort", stop, { once: true });
  const seen: Seen = {
    observedAt: new Date(),
    addresses: [],
    address: null,
    timings: { dnsMs: null, connectMs: null, tlsMs: null },
  };
  try {
    const session = await look(target, options, seen, stopping.signal);
    return { ...seen, ...session, outcome: "served" };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ProbeFailure)) throw error;
    return { ...seen, outcome: "failed", failure: error.failure };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}
