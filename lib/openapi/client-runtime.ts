import type { Operations } from "@/public/sealwatch";

/** Input and output of each operation, by `METHOD /path`. */
type Operation = { input: object; data: unknown; kind: "one" | "list" | "raw" };
type Failure = { code: string; message: string; request_id: string; retry_after?: number; issues?: Issue[] };

export type Issue = { path: string; message: string };
export type Page<Item> = { data: Item[]; pagination: { next_cursor: string | null; has_more: boolean } };

/** An error response of the API. `requestId` is the id of the request's entry in the audit log. */
export class SealwatchError extends Error {
  override readonly name = "SealwatchError";

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string | null,
    /** Seconds after which to try again; with 429 and 503. */
    readonly retryAfter: number | null,
    /** The invalid fields; with 400. */
    readonly issues: readonly Issue[],
  ) {
    super(message);
  }
}

export interface SealwatchOptions {
  /** URL of Sealwatch, such as `https://sealwatch.example.com`. */
  url: string;
  apiKey: string;
  /** How often a rate-limited request (429) is retried, each time after `retry_after`. Default: 0. */
  retries?: number;
  fetch?: typeof fetch;
}

type Keys<Kind extends Operation["kind"]> = {
  [Key in keyof Operations]: Operations[Key]["kind"] extends Kind ? Key : never;
}[keyof Operations];
type Sent<Key extends keyof Operations> = Operations[Key]["input"];
/** Further request headers, such as `Idempotency-Key` and `If-Match`. */
export type RequestHeaders = Record<string, string>;
/** The input may be omitted if no field is required. */
type Rest<Key extends keyof Operations> =
  Record<never, never> extends Sent<Key>
    ? [input?: Sent<Key>, headers?: RequestHeaders]
    : [input: Sent<Key>, headers?: RequestHeaders];

/** A client of the API. Path parameters, query and body are one object: `call("GET /api-keys/{id}", { id })`. */
export class Sealwatch {
  readonly #options: SealwatchOptions;

  constructor(options: SealwatchOptions) {
    this.#options = options;
  }

  /** Sends a request and returns `data`. Throws SealwatchError. */
  async call<Key extends Keys<"one">>(key: Key, ...[input, headers]: Rest<Key>): Promise<Operations[Key]["data"]> {
    const { data } = (await (await this.#send(key, input, headers)).json()) as { data: Operations[Key]["data"] };
    return data;
  }

  /** Returns one page of a list with the cursor of the next page. Throws SealwatchError. */
  async page<Key extends Keys<"list">>(key: Key, ...[input]: Rest<Key>): Promise<Page<Operations[Key]["data"]>> {
    return (await (await this.#send(key, input)).json()) as Page<Operations[Key]["data"]>;
  }

  /** Iterates over all items of a list, page by page. Throws SealwatchError. */
  async *list<Key extends Keys<"list">>(key: Key, ...[input]: Rest<Key>): AsyncGenerator<Operations[Key]["data"]> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const response = await this.#send(key, { ...input, ...(cursor !== undefined && { cursor }) });
      const { data, pagination } = (await response.json()) as Page<Operations[Key]["data"]>;
      yield* data;
      cursor = pagination.next_cursor;
    }
  }

  /** Returns a file, document or stream as a Response. Throws SealwatchError. */
  raw<Key extends Keys<"raw">>(key: Key, ...[input, headers]: Rest<Key>): Promise<Response> {
    return this.#send(key, input, headers);
  }

  async #send(key: string, input: object = {}, more: RequestHeaders = {}): Promise<Response> {
    const { url, apiKey, retries = 0, fetch: send = fetch } = this.#options;
    const [method = "", template = ""] = key.split(" ");
    const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = encodeURIComponent(String(rest.get(name)));
      rest.delete(name);
      return value;
    });
    const inBody = method === "POST" || method === "PUT";
    const query = new URLSearchParams([...(inBody ? [] : rest)].map(([name, value]) => [name, String(value)]));
    const target = `${url.replace(/\/$/, "")}/api/v1${path}${query.size > 0 ? `?${query}` : ""}`;
    for (let attempt = 0; ; attempt += 1) {
      const response = await send(target, {
        method,
        headers: { ...more, authorization: `Bearer ${apiKey}`, ...(inBody && { "content-type": "application/json" }) },
        ...(inBody && { body: JSON.stringify(Object.fromEntries(rest)) }),
      });
      if (response.ok) return response;
      const failure = await failed(response);
      if (response.status !== 429 || attempt >= retries) throw failure;
      await new Promise((resolve) => setTimeout(resolve, (failure.retryAfter ?? 1) * 1000));
    }
  }
}

async function failed(response: Response): Promise<SealwatchError> {
  const { error } = (await response.json().catch(() => ({}))) as { error?: Failure };
  return new SealwatchError(
    response.status,
    error?.code ?? "UNKNOWN",
    error?.message ?? `Sealwatch responded with status ${response.status}.`,
    error?.request_id ?? response.headers.get("x-request-id"),
    error?.retry_after ?? null,
    error?.issues ?? [],
  );
}
