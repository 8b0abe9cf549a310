import type { OperationKey } from "./operations.js";

const PREFIX = "/api/v1";

export interface SealwatchOptions {
  /** URL of Sealwatch, such as `https://sealwatch.example.com`. */
  url: string;
  /** An API key. In a browser, everybody who opens the page has it. */
  apiKey: string;
  /** How often a request is repeated after 429, 502, 503, 504 or without an answer. Default: 3. */
  retries?: number;
  /** Milliseconds until the answer must be there, for each attempt; of files and streams, its head. Default: 30,000. */
  timeoutMs?: number;
  /** The longest pause that the server may ask for before a repetition; beyond it, the failure is thrown. Default: 65,000. */
  longestPauseMs?: number;
  /** Headers of every request. */
  headers?: Readonly<Record<string, string>>;
  /** In place of the runtime's own. */
  fetch?: typeof fetch;
}

export interface RequestOptions {
  signal?: AbortSignal;
  /** In place of that of the client. */
  timeoutMs?: number;
  /** In place of that of the client. */
  retries?: number;
  /** Changes only the version with this ETag. Otherwise the request fails with `PRECONDITION_FAILED`. */
  ifMatch?: string;
  /** With POST, in place of a random one: to repeat the request after this process has ended. */
  idempotencyKey?: string;
  headers?: Readonly<Record<string, string>>;
}

export interface OutgoingRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
}

/** The request of an operation: what its path names is put there, the rest into the body of POST and PUT, else into the query. */
export function requestOf(
  { url, apiKey, headers: usual }: SealwatchOptions,
  key: OperationKey,
  input: object,
  { ifMatch, idempotencyKey, headers }: RequestOptions,
): OutgoingRequest {
  const [method = "", template = ""] = key.split(" ");
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest.get(name)));
    rest.delete(name);
    return value;
  });
  const hasBody = method === "POST" || method === "PUT";
  const query = new URLSearchParams(hasBody ? [] : [...rest].map(([name, value]) => [name, String(value)]));
  return {
    url: `${url.replace(/\/$/, "")}${PREFIX}${path}${query.size > 0 ? `?${query}` : ""}`,
    method,
    headers: {
      ...usual,
      ...headers,
      Authorization: `Bearer ${apiKey}`,
      ...(hasBody && { "Content-Type": "application/json" }),
      // The same for every attempt, so that the server carries out at most one.
      ...(method === "POST" && { "Idempotency-Key": idempotencyKey ?? randomKey() }),
      ...(ifMatch !== undefined && { "If-Match": ifMatch }),
    },
    ...(hasBody && { body: JSON.stringify(Object.fromEntries(rest)) }),
  };
}

/** 128 random bits. `crypto.randomUUID` is missing in pages that are not served by HTTPS. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
