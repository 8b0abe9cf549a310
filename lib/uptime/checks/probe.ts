import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { connect, type LookupFunction, type Socket } from "node:net";
import { type Guard, guardedLookup, refuseForbiddenAddress } from "@/lib/network/guarded-lookup";
import type { FailureReason } from "@/lib/uptime/contract";
import { hostOf, parseHttpTarget, parseTcpTarget } from "@/lib/uptime/target";

/** What is asked, as it is stored. */
export interface Question {
  type: string;
  target: string;
  method: string;
  headers: Record<string, string>;
  expectedStatus: string[];
  expectedText: string | null;
  followRedirects: boolean;
  timeoutSeconds: number;
}

/** How a check went. Phases in microseconds, null where it did not come to that; of redirects, those of the last hop. */
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
  /** Gives up without a verdict: the promise rejects. */
  signal?: AbortSignal;
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

/** Ends a check with a verdict. */
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
  // Several addresses, none of which took the connection: the first one's reason stands for all.
  if (errors !== undefined && errors.length > 0) return failureOf(errors[0]);
  const known = REASONS[code];
  if (known !== undefined) return new CheckFailure(known);
  const isTls = /^(ERR_SSL|ERR_TLS|CERT_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_)/.test(code);
  return new CheckFailure(isTls ? "tls_failed" : "protocol_error", (isTls ? code : message).slice(0, 200));
}

/** A look-up that notes how long it took. */
function lookup(options: ProbeOptions, seen: Seen): LookupFunction {
  return guardedLookup(options, (ms) => {
    seen.dnsUs = Math.round(ms * 1000);
  });
}

/** Notes when the phases of a connection end. */
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

function askTcp(target: string, options: ProbeOptions, seen: Seen, signal: AbortSignal): Promise<void> {
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
    // Whatever it says is not asked for.
    socket.resume();
    socket.once("connect", () => socket.destroySoon());
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
}

/** One request; resolves to its response's head. */
function send(url: URL, question: Question, options: ProbeOptions, seen: Seen, signal: AbortSignal) {
  const isTls = url.protocol === "https:";
  const host = hostOf(url);
  refuseForbiddenAddress(host, options);
  return new Promise<IncomingMessage>((resolve, reject) => {
    let asked = performance.now();
    const request = (isTls ? requestHttps : requestHttp)(url, {
      method: question.method,
      headers: { accept: "*/*", "user-agent": "Sealwatch", ...question.headers },
      agent: false,
      lookup: lookup(options, seen),
      maxHeaderSize: 64 * 1024,
      signal,
    });
    request.once("socket", (socket) => {
      clock(
        socket,
        seen,
        () => {
          asked = performance.now();
        },
        isTls,
      );
    });
    request.once("response", (response) => {
      seen.ttfbUs = microsecondsSince(asked);
      seen.statusCode = response.statusCode ?? null;
      resolve(response);
    });
    request.on("error", reject);
    request.end();
  });
}

/** Whether the first MiB of the body holds `text`, in UTF-8. */
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

async function askHttp(question: Question, options: ProbeOptions, seen: Seen, signal: AbortSignal): Promise<void> {
  let url = parseHttpTarget(question.target);
  const origin = url.origin;
  for (let hop = 0; ; hop++) {
    Object.assign(seen, { dnsUs: null, connectUs: null, tlsUs: null, ttfbUs: null });
    // What was given for one server is not another's to know.
    const asked = url.origin === origin ? question : { ...question, headers: {} };
    const response = await send(url, asked, options, seen, signal);
    try {
      const status = response.statusCode ?? 0;
      const { location } = response.headers;
      if (question.followRedirects && REDIRECTS.has(status) && location !== undefined) {
        if (hop === MAX_REDIRECTS) throw new CheckFailure("too_many_redirects", location.slice(0, 200));
        url = redirectTarget(location, url);
        continue;
      }
      if (!isExpected(status, question.expectedStatus)) throw new CheckFailure("unexpected_status", String(status));
      if (question.expectedText !== null && !(await holds(response, question.expectedText))) {
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
    throw new CheckFailure("protocol_error", "redirected to what is no URL");
  }
}

/**
 * Asks once. Every failure is part of the answer; it rejects only when `signal` aborts. A name is resolved once per hop, forbidden
 * addresses are refused before anything is sent, and https is verified as a browser would.
 */
export async function ask(question: Question, options: ProbeOptions): Promise<Outcome> {
  const { signal } = options;
  signal?.throwIfAborted();
  const at = new Date();
  const start = performance.now();
  const stopping = new AbortController();
  const stop = () => stopping.abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  const timer = setTimeout(() => stopping.abort(new CheckFailure("timeout")), question.timeoutSeconds * 1000);
  const seen: Seen = { statusCode: null, address: null, dnsUs: null, connectUs: null, tlsUs: null, ttfbUs: null };
  let failure: CheckFailure | null = null;
  try {
    if (question.type === "tcp") await askTcp(question.target, options, seen, stopping.signal);
    else await askHttp(question, options, seen, stopping.signal);
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
