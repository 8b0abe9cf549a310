import { type IncomingHttpHeaders, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { type Guard, guardedLookup, refuseForbiddenAddress } from "@/lib/network/guarded-lookup";

export interface Asked extends Guard {
  method: "GET" | "POST" | "PUT";
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Milliseconds for everything together. */
  deadlineMs: number;
  /** Bytes of the answer that are read; a longer one is refused. */
  maxBytes: number;
  signal?: AbortSignal;
}

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** An answer that is longer than asked for. */
export class AnswerTooLong extends Error {
  override readonly name = "AnswerTooLong";
}

/**
 * One request over http or https to an address that may be reached; redirects are answers, not followed. Certificates are verified.
 * Rejects with ForbiddenAddress, AnswerTooLong, a TimeoutError, or what the network said.
 */
export async function askHttp(url: URL, asked: Asked): Promise<Answered> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  refuseForbiddenAddress(host, asked);
  const deadline = AbortSignal.timeout(asked.deadlineMs);
  const signal = asked.signal === undefined ? deadline : AbortSignal.any([deadline, asked.signal]);
  return new Promise<Answered>((resolve, reject) => {
    const stop = () => {
      request.destroy();
      reject(signal.reason);
    };
    const settle = <T>(done: (value: T) => void) => {
      return (value: T) => {
        signal.removeEventListener("abort", stop);
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
    });
    request.on("error", fail);
    request.once("response", (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on("error", fail);
      response.on("data", (chunk: Buffer) => {
        length += chunk.length;
        chunks.push(chunk);
        if (length <= asked.maxBytes) return;
        request.destroy();
        fail(new AnswerTooLong(`the answer is longer than ${asked.maxBytes} bytes`));
      });
      response.once("end", () => {
        settle(resolve)({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      });
      response.once("close", () => fail(new Error("the answer was cut off")));
    });
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) return stop();
    request.end(asked.body);
  });
}
