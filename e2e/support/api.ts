import { randomBytes } from "node:crypto";
import { type Answer, type Sent, send } from "@/e2e/support/http";
import { API_PREFIX } from "@/lib/http/endpoint";

interface Options {
  headers?: Record<string, string | string[]>;
}

/** One caller of the API. Paths are under `/api/v1`; a body that is neither a string nor bytes is sent as JSON. */
export class Api {
  constructor(
    readonly url: string,
    private readonly headers: Record<string, string | string[]>,
  ) {}

  /** The same caller at another address of the API. */
  at(url: string): Api {
    return new Api(url, this.headers);
  }

  /** The same caller with other or additional headers. */
  with(headers: Record<string, string | string[]>): Api {
    return new Api(this.url, { ...this.headers, ...headers });
  }

  get<Data>(path: string, options?: Options): Promise<Answer<Data>> {
    return this.request<Data>("GET", path, undefined, options);
  }

  post<Data>(path: string, body?: unknown, options?: Options): Promise<Answer<Data>> {
    return this.request<Data>("POST", path, body, options);
  }

  put<Data>(path: string, body?: unknown, options?: Options): Promise<Answer<Data>> {
    return this.request<Data>("PUT", path, body, options);
  }

  delete<Data>(path: string, options?: Options): Promise<Answer<Data>> {
    return this.request<Data>("DELETE", path, undefined, options);
  }

  request<Data>(method: string, path: string, body?: unknown, { headers = {} }: Options = {}): Promise<Answer<Data>> {
    const isRaw = typeof body === "string" || Buffer.isBuffer(body);
    const sent: Sent = {
      method,
      target: API_PREFIX + path,
      headers: { ...this.headers, ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
    };
    return send<Data>(this.url, sent);
  }
}

/** A caller with an API key. */
export function withKey(server: { url: string }, secret: string): Api {
  return new Api(server.url, { authorization: `Bearer ${secret}` });
}

/** An address that no other test uses: requests without a key are limited by address. */
export function newAddress(): string {
  return `10.${[...randomBytes(3)].join(".")}`;
}

/** A caller without a credential, from its own address. The shared server trusts our `X-Forwarded-For`. */
export function anonymous(server: { url: string }, address = newAddress()): Api {
  return new Api(server.url, { "x-forwarded-for": address });
}
