import { isIP, type Socket } from "node:net";
import { beginTls } from "@/lib/certificates/probe/begin-tls";
import { dial, orAbort, TIMEOUT, withDeadline } from "@/lib/certificates/probe/dial";
import { Refusal } from "@/lib/certificates/probe/dialogue";
import { HandshakeError, handshake } from "@/lib/certificates/probe/handshake";
import type { Failed, Failure, Observation, Observations } from "@/lib/certificates/probe/observation";
import { waysToTls } from "@/lib/certificates/probe/protocols";
import { MAX_ADDRESSES, type Target } from "@/lib/certificates/targets";
import { isForbidden } from "@/lib/network/guard";
import { type Resolve, resolveHost } from "@/lib/network/resolve";
import type { Network } from "@/lib/networks";

export interface ProbeOptions {
  /** Otherwise forbidden networks that are allowed. */
  allowedNetworks: readonly Network[];
  /** Milliseconds for the whole probe; 10 s by default. */
  deadlineMs?: number;
  resolve?: Resolve;
  /** Waits for a slot for these addresses, which does not count towards the deadline; returns a function that releases it. */
  enter?: (addresses: readonly string[], signal: AbortSignal | undefined) => Promise<() => void>;
  /** Cancels without a result: the promise rejects. */
  signal?: AbortSignal;
}

const DEADLINE_MS = 10_000;
/** Milliseconds per address if there are several, so that an unresponsive address leaves time for the next. */
const ATTEMPT_MS = 3_000;
/** The last address is limited only by the overall deadline. */
const LONGEST_MS = 2 ** 31 - 1;

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
  EPIPE: "connection_reset",
  EHOSTUNREACH: "no_route",
  ENETUNREACH: "no_route",
  EADDRNOTAVAIL: "no_route",
  ETIMEDOUT: "timeout",
};

function toFailure(kind: Failure["kind"], error: unknown): Failure {
  if (error instanceof HandshakeError) return { kind, reason: error.reason, detail: error.detail };
  if (error instanceof Refusal) return { kind: "starttls_unsupported", reason: error.reason, detail: error.said };
  const { code, message } = error as { code?: string; message?: string };
  const detail = error === TIMEOUT || error instanceof AggregateError ? null : (message ?? null);
  return { kind, reason: REASONS[code ?? ""] ?? "error", detail };
}

function since(start: number): number {
  return Math.round((performance.now() - start) * 10) / 10;
}

type Seen = Pick<Observation, "observedAt" | "addresses" | "timings">;

function failed(seen: Seen, address: string | null, failure: Failure): Failed {
  return { ...seen, address, outcome: "failed", failure };
}

/** The dialogue before TLS on an open connection, if any, and the handshake. */
async function reachSession(socket: Socket, target: Target, signal: AbortSignal) {
  await beginTls(socket, target, signal);
  return handshake(socket, { name: target.sni ?? target.host, alpn: waysToTls[target.protocol].alpn, signal });
}

/**
 * Observes the first address that accepts a connection. If none does, returns the first failure; any other failure is preferred to a
 * missing route, which is usual for IPv6.
 */
async function observeFirst(
  addresses: readonly string[],
  target: Target,
  seen: Seen,
  signal: AbortSignal,
): Promise<Observation> {
  let failure = failed(seen, null, toFailure("unreachable", TIMEOUT));
  for (const [at, address] of addresses.entries()) {
    const start = performance.now();
    const timings = { ...seen.timings };
    let socket: Socket;
    try {
      socket = await dial(address, target.port, at === addresses.length - 1 ? LONGEST_MS : ATTEMPT_MS, signal);
    } catch (error) {
      if (failure.address === null || failure.failure.reason === "no_route")
        failure = failed(seen, address, toFailure("unreachable", error));
      if (signal.aborted) break;
      continue;
    }
    timings.connectMs = since(start);
    const connected = performance.now();
    try {
      const session = await reachSession(socket, target, signal);
      timings.tlsMs = since(connected);
      return { ...seen, timings, address, ...session, outcome: "served" };
    } catch (error) {
      return failed({ ...seen, timings }, address, toFailure("tls_handshake_failed", error));
    }
  }
  return failure;
}

/**
 * Observes what `target` serves: resolves once, rejects forbidden addresses, connects to the first permitted address that
 * responds (or to each), starts TLS as the protocol requires and completes a handshake without verification. Failures are part
 * of the result; rejects only if `signal` aborts or `enter` rejects.
 */
export async function probe(target: Target, options: ProbeOptions): Promise<Observations> {
  const { allowedNetworks, deadlineMs = DEADLINE_MS, resolve = resolveHost, enter, signal } = options;
  signal?.throwIfAborted();
  const host = target.connectTo ?? target.host;
  const seen: Seen = { observedAt: new Date(), addresses: [], timings: { dnsMs: null, connectMs: null, tlsMs: null } };
  const start = performance.now();
  try {
    seen.addresses = await withDeadline(deadlineMs, signal, async (signal) => [
      ...new Set(await orAbort(signal, resolve(host, allowedNetworks))),
    ]);
  } catch (error) {
    signal?.throwIfAborted();
    return [failed(seen, null, toFailure("dns_failure", error))];
  }
  const resolved = performance.now();
  const isAll = target.addressMode === "all";
  // Name servers rotate their answers: which addresses are observed, and in which order, must not depend on it.
  if (isAll) seen.addresses.sort();
  if (isIP(host) === 0) seen.timings.dnsMs = since(start);
  const [first = null] = seen.addresses;
  if (first === null) return [failed(seen, null, { kind: "dns_failure", reason: "no_address", detail: null })];
  // Forbidden addresses take the place of no others.
  const permitted = seen.addresses.filter((address) => !isForbidden(address, allowedNetworks)).slice(0, MAX_ADDRESSES);
  seen.addresses = [...new Set([...permitted, ...seen.addresses])].slice(0, MAX_ADDRESSES);
  if (permitted.length === 0) {
    return [failed(seen, first, { kind: "forbidden_address", reason: "forbidden_address", detail: null })];
  }

  const leave = await enter?.(isAll ? permitted : permitted.slice(0, 1), signal);
  try {
    const [one, ...others] = await withDeadline(deadlineMs - (resolved - start), signal, (signal) => {
      const groups = isAll ? permitted.map((address) => [address]) : [permitted];
      return Promise.all(groups.map((addresses) => observeFirst(addresses, target, seen, signal)));
    });
    signal?.throwIfAborted();
    if (one === undefined) throw new Error("no address was observed");
    return [one, ...others];
  } finally {
    leave?.();
  }
}
