import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { API_PREFIX } from "@/lib/http/endpoint";
import { visible } from "@/lib/text/visible";

const REQUEST_TIMEOUT_MS = 120_000;
/** Attempts while the API asks to wait, and while it cannot be reached. */
const MAX_ATTEMPTS = 8;
const MAX_LOST = 5;
/** Longer waits than this are not for a command: something else is wrong. */
const MAX_WAIT_SECONDS = 300;
const DEFAULT_WAIT_SECONDS = 5;
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
const PAGE_SIZE = 200;

/** The API refused a request. `message` is its own. */
export class ApiRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The API could not be asked, or its response was lost. */
export class ApiUnreachable extends Error {}

export interface Answered {
  data: Record<string, unknown>;
  /** The version of the resource; null if it has none. */
  etag: string | null;
}

interface Raw {
  status: number;
  body: { data?: unknown; pagination?: { next_cursor: string | null }; error?: { code: string; message: string } };
  etag: string | null;
  retryAfter: number | null;
}

interface Options {
  /** The address of Sealwatch, without a path. */
  url: URL;
  key: string;
  /** Called before a wait, with its reason. */
  onWait: (seconds: number, reason: string) => void;
  /** Ends waits. A request that was sent is never given up, because its outcome would be unknown. */
  signal: AbortSignal;
}

/**
 * The API with a key. Waits as long as 429 and 503 ask, and repeats requests whose response was lost if that cannot do harm: POST
 * has an Idempotency-Key. Throws ApiRefusal, ApiUnreachable.
 */
export class ApiClient {
  constructor(private readonly options: Options) {}

  async get(path: string): Promise<Answered> {
    return answered(await this.send("GET", path));
  }

  /** All items of a list. */
  async list(path: string): Promise<unknown[]> {
    const items: unknown[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await this.send("GET", `${path}?limit=${PAGE_SIZE}${query}`);
      for (const item of body.data as unknown[]) items.push(item);
      cursor = body.pagination?.next_cursor ?? null;
    } while (cursor !== null);
    return items;
  }

  async post(path: string, body: unknown): Promise<Answered> {
    return answered(await this.send("POST", path, body, { "Idempotency-Key": randomUUID() }));
  }

  /** Changes a resource if `etag` is its version. */
  async put(path: string, body: unknown, etag: string): Promise<Answered> {
    return answered(await this.send("PUT", path, body, { "If-Match": etag }));
  }

  /** Deletes a resource if `etag` is its version. */
  async delete(path: string, etag: string): Promise<void> {
    await this.send("DELETE", path, undefined, { "If-Match": etag });
  }

  private async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Raw> {
    let wasLost = false;
    for (let attempt = 1; ; attempt++) {
      if (method === "GET") this.options.signal.throwIfAborted();
      const answer = await this.sendOnce(method, path, body, headers).catch((error: unknown) => {
        // A PUT that arrived has changed the version, and repeating it would be refused.
        if (!(error instanceof ApiUnreachable) || method === "PUT" || attempt >= MAX_LOST) throw error;
        return error;
      });
      if (answer instanceof ApiUnreachable) {
        wasLost = true;
        await this.pause(2 ** (attempt - 1), answer.message);
        continue;
      }
      const { status, retryAfter } = answer;
      if (status < 300) return answer;
      if (status === 404 && method === "DELETE" && wasLost) return answer;
      const error = refusalOf(answer);
      const isBusy = status === 429 || status === 503 || (status === 409 && wasLost && method === "POST");
      const seconds = retryAfter ?? DEFAULT_WAIT_SECONDS;
      if (!isBusy || attempt >= MAX_ATTEMPTS || seconds > MAX_WAIT_SECONDS) throw error;
      await this.pause(seconds, error.message);
    }
  }

  private async pause(seconds: number, reason: string): Promise<void> {
    this.options.onWait(seconds, reason);
    await wait(seconds * 1000, undefined, { signal: this.options.signal });
  }

  private async sendOnce(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Raw> {
    const { url, key } = this.options;
    try {
      const response = await fetch(new URL(API_PREFIX + path, url), {
        method,
        // Another address must not get the key.
        redirect: "manual",
        headers: {
          Authorization: `Bearer ${key}`,
          "User-Agent": "sealwatch-apply",
          ...(body !== undefined && { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      });
      return {
        status: response.status,
        body: await bodyOf(response),
        etag: response.headers.get("etag"),
        retryAfter: secondsOf(response.headers.get("retry-after")),
      };
    } catch (error) {
      if (error instanceof ApiRefusal) throw error;
      const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
      throw new ApiUnreachable(`${url.origin} cannot be reached: ${cause?.code ?? cause?.message ?? message}`);
    }
  }
}

async function bodyOf(response: Response): Promise<Raw["body"]> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_RESPONSE_BYTES) throw new ApiRefusal(response.status, "TOO_LARGE", "The response is too large.");
    chunks.push(chunk);
  }
  const { status } = response;
  const isJson = /^application\/json\b/.test(response.headers.get("content-type") ?? "");
  // A proxy in front of Sealwatch answers for a moment of a restart.
  if (!isJson && (status === 502 || status === 503 || status === 504))
    throw new Error(`a proxy answers with the status ${status}`);
  if (!isJson)
    throw new ApiRefusal(status, "NO_API", `SEALWATCH_URL does not lead to Sealwatch's API: status ${status}.`);
  return JSON.parse(Buffer.concat(chunks).toString()) as Raw["body"];
}

function secondsOf(header: string | null): number | null {
  return header !== null && /^\d{1,9}$/.test(header) ? Math.max(1, Number(header)) : null;
}

function refusalOf({ status, body }: Raw): ApiRefusal {
  const { code = "UNKNOWN", message = `status ${status}` } = body.error ?? {};
  return new ApiRefusal(status, code, visible(String(message)));
}

function answered({ body, etag }: Raw): Answered {
  return { data: (body.data ?? {}) as Record<string, unknown>, etag };
}
