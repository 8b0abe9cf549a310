import { type IncomingHttpHeaders, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { attemptTimeout } from "@/lib/network/attempt-timeout";
import { type Guard, guardedLookup, refuseForbiddenAddress } from "@/lib/network/guarded-lookup";

/** Statuses of a redirect to `Location`. */
export const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

export interface FetchOptions extends Guard {
  method: "GET" | "POST" | "PUT";
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Timeout of the whole request in milliseconds. */
  deadlineMs: number;
  /** Maximum bytes of the response; a longer response is refused, unless it `isCut` there. */
  maxBytes: number;
  isCut?: boolean;
  signal?: AbortSignal;
}

export interface FetchedResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The response exceeds `maxBytes`. */
export class ResponseTooLong extends Error {
  override readonly name = "ResponseTooLong";
}

/**
 * Sends one request over http or https to an allowed address, verifying certificates. Redirects are returned, not followed.
 * Rejects with ForbiddenAddress, ResponseTooLong, a TimeoutError, or the network's error.
 */
export async function fetchGuarded(url: URL, asked: FetchOptions): Promise<FetchedResponse> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  refuseForbiddenAddress(host, asked);
  const { signal, deadlineMs } = asked;
  signal?.throwIfAborted();
  return new Promise<FetchedResponse>((resolve, reject) => {
    const stop = (reason: unknown) => {
      request.destroy();
      fail(reason);
    };
    const onAbort = () => stop(signal?.reason);
    const settle = <T>(done: (value: T) => void) => {
      return (value: T) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        done(value);
      };
    };
    const fail = settle(reject);
    const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
      method: asked.method,
      headers: {
        "user-agent": "Sealwatch",
        ...asked.headers,
        ...(asked.body !== undefined && { "content-length": String(Buffer.byteLength(asked.body)) }),
      },
      agent: false,
      lookup: guardedLookup(asked),
      ...attemptTimeout(deadlineMs),
    });
    // Not `AbortSignal.any` over `AbortSignal.timeout`: Node 20 may collect the latter, and the request would never end.
    const timer = setTimeout(
      () => stop(new DOMException(`no response within ${deadlineMs} ms`, "TimeoutError")),
      deadlineMs,
    );
    signal?.addEventListener("abort", onAbort, { once: true });
    request.on("error", fail);
    request.once("response", (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const answer = (body: Buffer) =>
        settle(resolve)({ status: response.statusCode ?? 0, headers: response.headers, body });
      response.on("error", fail);
      response.on("data", (chunk: Buffer) => {
        length += chunk.length;
        chunks.push(chunk);
        if (length <= asked.maxBytes) return;
        request.destroy();
        if (asked.isCut) return answer(Buffer.concat(chunks).subarray(0, asked.maxBytes));
        fail(new ResponseTooLong(`the response is longer than ${asked.maxBytes} bytes`));
      });
      response.once("end", () => answer(Buffer.concat(chunks)));
      response.once("close", () => fail(new Error("the response was cut off")));
    });
    request.end(asked.body);
  });
}
