import type { LookupFunction, Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { ForbiddenAddress, type Guard, guardedLookup, NoAddressOfFamily } from "@/lib/network/guarded-lookup";
import { dnsFailure } from "@/lib/network/name-servers";
import type { StoredAssertions } from "@/lib/uptime/assertions";
import type { Authentication } from "@/lib/uptime/authentication";
import { storable } from "@/lib/uptime/checks/storable";
import type { FailureReason } from "@/lib/uptime/failure-reasons";
import { tlsFailure } from "@/lib/uptime/tls-errors";
import type { TypeSettings } from "@/lib/uptime/type-settings";

/** A check's settings as stored. */
export interface CheckSettings {
  type: string;
  target: string;
  method: string;
  headers: Record<string, string>;
  authentication: Authentication;
  requestBody: string | null;
  expectedStatus: string[];
  expectedText: string | null;
  assertions: StoredAssertions;
  typeSettings: TypeSettings;
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
  /** The response of a failed check, if there was one. */
  response?: SeenResponse | null;
}

/** A failure for which nothing was sent. */
export function unsent(reason: FailureReason, detail: string | null = null): Outcome {
  return {
    ...{ at: new Date(), ok: false, reason, detail: storedDetail(detail), address: null, statusCode: null },
    ...{ dnsUs: null, connectUs: null, tlsUs: null, ttfbUs: null, totalUs: 0 },
  };
}

export interface SeenResponse {
  headers: NodeJS.Dict<string[]>;
  /** Its beginning or more of it; null if it was not read. */
  body: Buffer | null;
}

export interface ProbeOptions extends Guard {
  /** Cancels the check without a result: the promise rejects. */
  signal?: AbortSignal;
  /** What https trusts instead of the roots of Node.js. */
  secureContext?: SecureContext;
  /** The same at the target's origin, with the client certificate. */
  ownContext?: SecureContext;
  /** Does synchronous work that may take milliseconds, and measures it. */
  spend?: Spend;
}

/** Does work and returns its result. */
export type Spend = <Result>(work: () => Result) => Result;

/** Without measuring. */
export const justDo: Spend = (work) => work();

/** What a check has learned so far. */
export type Seen = Pick<Outcome, "statusCode" | "address" | "dnsUs" | "connectUs" | "tlsUs" | "ttfbUs" | "response">;

/** Characters of a failure's detail that are stored. */
const MAX_DETAIL = 200;
/** Characters of it that are searched for secrets before. */
const SEARCHED_DETAIL = 16_384;

/** What is stored of a detail. A detail is searched for secrets before: they are not found in a text that was cut. */
export function storedDetail(detail: string | null): string | null {
  return detail === null ? null : storable(detail, MAX_DETAIL);
}

/** Ends a check as failed. */
export class CheckFailure extends Error {
  /** Longer than what is stored, and perhaps with secrets. */
  readonly detail: string | null;
  /** Of `performance.now()`. */
  readonly failedAt = performance.now();

  constructor(
    readonly reason: FailureReason,
    detail: string | null = null,
  ) {
    super(reason);
    this.detail = detail === null ? null : detail.slice(0, SEARCHED_DETAIL);
  }
}

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

/** The failure that an error of the network stands for. */
export function failureOf(error: unknown): CheckFailure {
  if (error instanceof CheckFailure) return error;
  if (error instanceof NoAddressOfFamily) return new CheckFailure("dns_failure", error.message);
  const { code = "", message = "", errors } = error as { code?: string; message?: string; errors?: unknown[] };
  // All addresses failed to connect: report the first address's reason.
  if (errors !== undefined && errors.length > 0) return failureOf(errors[0]);
  const known = REASONS[code];
  if (known !== undefined) return new CheckFailure(known);
  const ofTls = tlsFailure(code);
  return ofTls === null ? new CheckFailure("protocol_error", message) : new CheckFailure("tls_failed", ofTls);
}

/** Microseconds since `start`, which is of `performance.now()`. */
export function microsecondsSince(start: number): number {
  return Math.round((performance.now() - start) * 1000);
}

/** A DNS lookup that records its duration. */
export function lookup(options: ProbeOptions, seen: Seen): LookupFunction {
  const look = guardedLookup(options, (ms) => {
    seen.dnsUs = Math.round(ms * 1000);
  });
  return (host, wanted, done) =>
    look(host, wanted, (error, ...found) => done(error === null ? null : lookupFailure(error), ...found));
}

/** Name servers that time out or refuse a connection say nothing about the target. */
function lookupFailure(error: Error): Error {
  if (error instanceof ForbiddenAddress || error instanceof NoAddressOfFamily) return error;
  return new CheckFailure("dns_failure", dnsFailure(error));
}

/** Records when the phases of a connection end. */
export function clock(socket: Socket, seen: Seen, onReady: () => void, isTls: boolean): void {
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
