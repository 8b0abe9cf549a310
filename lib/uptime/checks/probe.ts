import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { connect, type LookupFunction, type Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { type Guard, guardedLookup, refuseForbiddenAddress } from "@/lib/network/guarded-lookup";
import type { FailureReason } from "@/lib/uptime/contract";
import { hostOf, parseHttpTarget, parseTcpTarget } from "@/lib/uptime/target";

/** A check's settings as stored. */
export interface CheckSettings {
  type: string;
  target: string;
  method: string;
  headers: Record<string, string>;
  expectedStatus: string[];
  expectedText: string | null;
  followRedirects: boolean;
  /** Accepts only certificates that a browser accepts, or that `secureContext` does. */
  verifyTls: boolean;
  timeoutSeconds: number;
}

/** The result of a check. Phases in microseconds, null if not reached; with redirects, those of the last hop. */
export interface Outcome {
  at: Date;
  ok: boolean;
  reason: FailureReason | null;
  detail: string | null;
  statusCode: number | null;
  address: string | null;
  dnsUs: number | null;
  connectUs: number | null;
  tlsUs: number | null;
  ttfbUs: number | null;
  totalUs: number;
}

export interface ProbeOptions extends Guard {
  /** Cancels the check without a result: the promise rejects. */
  signal?: AbortSignal;
  /** What https trusts instead of the public roots. */
  secureContext?: SecureContext;
}

const MAX_REDIRECTS = 5;
const MAX_BODY = 1024 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const REASONS: Record<string, FailureReason> = {
  ENOTFOUND: "dns_failure",
  ENODATA: "dns_failure",
  EAI_AGAIN: "dns_failure",
  EAI_NONAME: "dns_failure",
  ESERVFAIL: "dns_failure",
  EREFUSED: "dns_failure",
  EFORBIDDEN: "forbidden_address",
  ECONNREFUSED: "connection_refused",
  ECONNRESET: "connection_reset",
  EPIPE: "connection_reset",
  EHOSTUNREACH: "no_route",
  ENETUNREACH: "no_route",
  EADDRNOTAVAIL: "no_route",
  ETIMEDOUT: "timeout",
  ETIMEOUT: "timeout",
};

/** Ends a check as failed. */
class CheckFailure extends Error {
  constructor(
    readonly reason: FailureReason,
    readonly detail: string | null = null,
  ) {
    super(reason);
  }
}

type Seen = Pick<Outcome, "statusCode" | "address" | "dnsUs" | "connectUs" | "tlsUs" | "ttfbUs">;

function microsecondsSince(start: number): number {
  return Math.round((performance.now() - start) * 1000);
}

function failureOf(error: unknown): CheckFailure {
  if (error instanceof CheckFailure) return error;
  const { code = "", message = "", errors } = error as { code?: string; message?: string; errors?: unknown[] };
  // All addresses failed to connect: report the first address's reason.
  if (errors !== undefined && errors.length > 0) return failureOf(errors[0]);
  const known = REASONS[code];
  if (known !== undefined) return new CheckFailure(known);
  const isTls = /^(ERR_SSL|ERR_TLS|CERT_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_)/.test(code);
  return new CheckFailure(isTls ? "tls_failed" : "protocol_error", (isTls ? code : message).slice(0, 200));
}

/** A DNS lookup that records its duration. */
function lookup(options: ProbeOptions, seen: Seen): LookupFunction {
  return guardedLookup(options, (ms) => {
    seen.dnsUs = Math.round(ms * 1000);
  });
}

/** Records when the phases of a connection end. */
function clock(socket: Socket, seen: Seen, onReady: () => void, isTls: boolean): void {
  const start = performance.now();
  let connected = start;
  socket.once("connect", () => {
    connected = performance.now();
    seen.connectUs = Math.max(0, microsecondsSince(start) - (seen.dnsUs ?? 0));
    seen.address = socket.remoteAddress ?? null;
    if (!isTls) onReady();
  });
  if (isTls) {
    socket.once("secureConnect", () => {
      seen.tlsUs = microsecondsSince(connected);
      onReady();
    });
  }
}

function probeTcp(target: string, options: ProbeOptions, seen: Seen, signal: AbortSignal): Promise<void> {
  const { host, port } = parseTcpTarget(target);
  refuseForbiddenAddress(host, options);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: lookup(options, seen) });
    const stop = () => socket.destroy(signal.reason);
    clock(socket, seen, () => socket.end(), false);
    socket.once("error", reject);
    socket.once("close", () => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
    // Discard anything the server sends.
    socket.resume();
    socket.once("connect", () => socket.destroySoon());
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
}

/** Sends one request; resolves with the response's head. */
function send(url: URL, settings: CheckSettings, options: ProbeOptions, seen: Seen, signal: AbortSignal) {
  const isTls = url.protocol === "https:";
  const host = hostOf(url);
  refuseForbiddenAddress(host, options);
  return new Promise<IncomingMessage>((resolve, reject) => {
    let sentAt = performance.now();
    const request = (isTls ? requestHttps : requestHttp)(url, {
      method: settings.method,
      headers: { accept: "*/*", "user-agent": "Sealwatch", ...settings.headers },
      agent: false,
      lookup: lookup(options, seen),
      maxHeaderSize: 64 * 1024,
      rejectUnauthorized: settings.verifyTls,
      ...(options.secureContext && { secureContext: options.secureContext }),
      signal,
    });
    request.once("socket", (socket) => {
      clock(
        socket,
        seen,
        () => {
          sentAt = performance.now();
        },
        isTls,
      );
    });
    request.once("response", (response) => {
      seen.ttfbUs = microsecondsSince(sentAt);
      seen.statusCode = response.statusCode ?? null;
      resolve(response);
    });
    request.on("error", reject);
    request.end();
  });
}

/** Whether the first MiB of the body contains `text`, in UTF-8. */
async function holds(response: IncomingMessage, text: string): Promise<boolean> {
  const wanted = Buffer.from(text);
  let tail = Buffer.alloc(0);
  let left = MAX_BODY;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const window = Buffer.concat([tail, chunk.subarray(0, left)]);
    if (window.includes(wanted)) return true;
    left -= chunk.length;
    if (left <= 0) return false;
    tail = window.subarray(Math.max(0, window.length - wanted.length + 1));
  }
  return false;
}

function isExpected(status: number, expected: readonly string[]): boolean {
  return expected.includes(String(status)) || expected.includes(`${Math.floor(status / 100)}xx`);
}

async function probeHttp(
  settings: CheckSettings,
  options: ProbeOptions,
  seen: Seen,
  signal: AbortSignal,
): Promise<void> {
  let url = parseHttpTarget(settings.target);
  const origin = url.origin;
  for (let hop = 0; ; hop++) {
    Object.assign(seen, { dnsUs: null, connectUs: null, tlsUs: null, ttfbUs: null });
    // Headers may hold credentials, which must not reach another origin.
    const allowed = url.origin === origin ? settings : { ...settings, headers: {} };
    const response = await send(url, allowed, options, seen, signal);
    try {
      const status = response.statusCode ?? 0;
      const { location } = response.headers;
      if (settings.followRedirects && REDIRECTS.has(status) && location !== undefined) {
        if (hop === MAX_REDIRECTS) throw new CheckFailure("too_many_redirects", location.slice(0, 200));
        url = redirectTarget(location, url);
        continue;
      }
      if (!isExpected(status, settings.expectedStatus)) throw new CheckFailure("unexpected_status", String(status));
      if (settings.expectedText !== null && !(await holds(response, settings.expectedText))) {
        throw new CheckFailure("text_missing");
      }
      return;
    } finally {
      response.on("error", () => {}).destroy();
    }
  }
}

function redirectTarget(location: string, base: URL): URL {
  try {
    const next = new URL(location, base);
    next.hash = "";
    return parseHttpTarget(next.href);
  } catch {
    throw new CheckFailure("protocol_error", "redirected to an invalid URL");
  }
}

/**
 * Runs one check. Failures are part of the outcome; rejects only if `signal` aborts. Resolves a name once per hop, rejects
 * forbidden addresses before sending anything, and verifies https as a browser would unless told otherwise.
 */
export async function probe(settings: CheckSettings, options: ProbeOptions): Promise<Outcome> {
  const { signal } = options;
  signal?.throwIfAborted();
  const at = new Date();
  const start = performance.now();
  const stopping = new AbortController();
  const stop = () => stopping.abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  const timer = setTimeout(() => stopping.abort(new CheckFailure("timeout")), settings.timeoutSeconds * 1000);
  const seen: Seen = { statusCode: null, address: null, dnsUs: null, connectUs: null, tlsUs: null, ttfbUs: null };
  let failure: CheckFailure | null = null;
  try {
    if (settings.type === "tcp") await probeTcp(settings.target, options, seen, stopping.signal);
    else await probeHttp(settings, options, seen, stopping.signal);
  } catch (error) {
    signal?.throwIfAborted();
    failure = failureOf(stopping.signal.aborted ? stopping.signal.reason : error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
  return {
    at,
    ok: failure === null,
    reason: failure?.reason ?? null,
    detail: failure?.detail ?? null,
    ...seen,
    totalUs: microsecondsSince(start),
  };
}
