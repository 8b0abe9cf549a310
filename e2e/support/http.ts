import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { expectDeclared } from "@/e2e/support/declared";
import type { ErrorCode, ErrorDetails } from "@/lib/http/errors";

/** Closes idle connections before the server does: a request on a connection that is being closed would fail. */
const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: 30_000 });
const DEADLINE_MS = 120_000;

export interface Sent {
  method: string;
  /** The request target as sent, without normalization. */
  target: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

type ErrorBody = { code: ErrorCode; message: string; request_id: string } & ErrorDetails;

/** A response. `data` and `error` throw with a description if it is not a success or a failure. */
export class Answer<Data = unknown> {
  constructor(
    private readonly sent: Sent,
    readonly status: number,
    readonly headers: IncomingHttpHeaders,
    readonly bytes: Buffer,
  ) {}

  get text(): string {
    return this.bytes.toString("utf8");
  }

  get json(): unknown {
    return JSON.parse(this.text);
  }

  get requestId(): string {
    return this.header("x-request-id");
  }

  header(name: string): string {
    const value = this.headers[name];
    if (typeof value !== "string") throw new Error(`no ${name} header in the answer to ${this.described}`);
    return value;
  }

  get data(): Data {
    if (this.status >= 300) throw new Error(`expected success from ${this.described}`);
    return (this.json as { data: Data }).data;
  }

  get pagination(): { next_cursor: string | null; has_more: boolean } {
    return (this.json as { pagination: { next_cursor: string | null; has_more: boolean } }).pagination;
  }

  get error(): ErrorBody {
    if (this.status < 400) throw new Error(`expected a failure from ${this.described}`);
    return (this.json as { error: ErrorBody }).error;
  }

  private get described(): string {
    return `${this.sent.method} ${this.sent.target}: ${this.status} ${this.text.slice(0, 500)}`;
  }
}

/**
 * Sends one request and reads the whole response, or the first part of an event stream, which has no end. Throws if the OpenAPI document
 * does not have the response.
 */
export function send<Data = unknown>(url: string, sent: Sent): Promise<Answer<Data>> {
  const { hostname, port } = new URL(url);
  const { method, target, headers = {}, body } = sent;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        // A kept-alive connection may lead to a process that has just died.
        agent: headers.connection === "close" ? false : agent,
        host: hostname.replace(/^\[(.*)\]$/, "$1"),
        port,
        method,
        path: target,
        headers: { ...(body !== undefined && { "content-length": Buffer.byteLength(body) }), ...headers },
        timeout: DEADLINE_MS,
      },
      (incoming) => {
        const { statusCode = 0, headers } = incoming;
        const chunks: Buffer[] = [];
        const finish = () => {
          const answer = new Answer<Data>(sent, statusCode, headers, Buffer.concat(chunks));
          try {
            expectDeclared(sent, statusCode, () => answer.text);
            resolve(answer);
          } catch (error) {
            reject(error);
          }
        };
        incoming.on("data", (chunk: Buffer) => {
          chunks.push(chunk);
          if (!headers["content-type"]?.startsWith("text/event-stream")) return;
          finish();
          incoming.destroy();
        });
        incoming.once("error", reject);
        incoming.once("end", finish);
      },
    );
    outgoing.once("timeout", () => outgoing.destroy(new Error(`no answer to ${method} ${target}`)));
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}
