import { errorOf, SealwatchConnectionError, SealwatchError } from "./errors.js";
import { readEvents } from "./event-stream.js";
import type { DataOf, InputOf, KeysOf, OperationKey, Schemas } from "./operations.js";
import { type OutgoingRequest, type RequestOptions, requestOf, type SealwatchOptions } from "./request.js";
import { wait, waitBefore } from "./wait.js";

export type { ErrorCode, Issue } from "./errors.js";
export type { DataOf, InputOf, KeysOf, OperationKey, Schemas } from "./operations.js";
export type { RequestOptions, SealwatchOptions } from "./request.js";
export { SealwatchConnectionError, SealwatchError };

/** Statuses after which the same request may succeed: refused for now, or not answered by Sealwatch itself. */
const REPEATABLE = new Set([429, 502, 503, 504]);

/** One page of a list. */
export interface Page<Item> {
  data: Item[];
  pagination: Schemas["Pagination"];
}

/** What the stream of the audit log sends. */
type StreamedEvent =
  | { type: "audit_event"; id: string; data: Schemas["AuditEvent"] }
  | { type: "audit_stats"; data: Schemas["AuditStats"] };

interface StreamOptions extends Pick<RequestOptions, "signal" | "headers"> {
  /** Goes on after this event, such as the last one that was handled. Default: only new events. */
  lastEventId?: string;
}

/** The input may be omitted if no field is required. */
type Arguments<Key extends OperationKey> =
  Record<never, never> extends InputOf<Key>
    ? [input?: InputOf<Key>, options?: RequestOptions]
    : [input: InputOf<Key>, options?: RequestOptions];

/**
 * A client of the API. Path parameters, query and body are one object: `call("GET /api-keys/{id}", { id })`. Its methods throw
 * SealwatchError for answers with a failure, SealwatchConnectionError without an answer, and the reason of an aborted signal.
 */
export class Sealwatch {
  readonly #options: SealwatchOptions;

  constructor(options: SealwatchOptions) {
    this.#options = options;
  }

  /** Sends a request and returns the `data` of the answer. */
  async call<Key extends KeysOf<"one">>(key: Key, ...[input, options]: Arguments<Key>): Promise<DataOf<Key>> {
    return (await this.#answer<{ data: DataOf<Key> }>(key, input, options)).body.data;
  }

  /** Like `call`, with the ETag of the resource's version, for `ifMatch`; null if it has none. */
  async versioned<Key extends KeysOf<"one">>(
    key: Key,
    ...[input, options]: Arguments<Key>
  ): Promise<{ data: DataOf<Key>; etag: string | null }> {
    const { body, headers } = await this.#answer<{ data: DataOf<Key> }>(key, input, options);
    return { data: body.data, etag: headers.get("etag") };
  }

  /** Returns one page of a list. */
  async page<Key extends KeysOf<"list">>(key: Key, ...[input, options]: Arguments<Key>): Promise<Page<DataOf<Key>>> {
    return (await this.#answer<Page<DataOf<Key>>>(key, input, options)).body;
  }

  /** Iterates over all items of a list; reads each page when it is reached. */
  async *list<Key extends KeysOf<"list">>(key: Key, ...[input, options]: Arguments<Key>): AsyncGenerator<DataOf<Key>> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const asked = { ...input, ...(cursor !== undefined && { cursor }) };
      const { body } = await this.#answer<Page<DataOf<Key>>>(key, asked, options);
      yield* body.data;
      cursor = body.pagination.next_cursor;
    }
  }

  /** Returns a file, a document or a stream as a Response whose body is not read yet. */
  async raw<Key extends KeysOf<"raw">>(key: Key, ...[input, options]: Arguments<Key>): Promise<Response> {
    return (await this.#send(key, input, options)).response;
  }

  /**
   * New events of the audit log, without an end: reconnects after the last event that was received. Throws when the credential is
   * refused, such as after its rotation. Stop with `break` or with a signal.
   */
  async *events(
    input: InputOf<"GET /audit-logs/stream"> = {},
    { signal, headers, lastEventId }: StreamOptions = {},
  ): AsyncGenerator<StreamedEvent> {
    let last = lastEventId;
    let pause: number | null = null;
    for (let attempt = 0; ; attempt += 1) {
      // Also ends the connection if the caller stops reading.
      const stopped = new AbortController();
      const stop = () => stopped.abort(signal?.reason);
      if (signal?.aborted) throw signal.reason;
      signal?.addEventListener("abort", stop, { once: true });
      try {
        const resume: Record<string, string> = last === undefined ? {} : { "Last-Event-ID": last };
        const { response } = await this.#send("GET /audit-logs/stream", input, {
          signal: stopped.signal,
          headers: { ...headers, ...resume },
        });
        if (response.body === null) throw new TypeError("the runtime cannot stream answers");
        for await (const { type, id, data, retry } of readEvents(response.body)) {
          attempt = 0;
          last = id ?? last;
          pause = retry ?? pause;
          if (data !== "") yield { type, ...(id !== undefined && { id }), data: JSON.parse(data) } as StreamedEvent;
        }
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (error instanceof SealwatchError && !mayPass(error)) throw error;
        if (error instanceof SyntaxError) throw error;
      } finally {
        signal?.removeEventListener("abort", stop);
        stopped.abort();
      }
      await wait(pause ?? waitBefore(attempt, null), signal);
      pause = null;
    }
  }

  async #answer<Body>(
    key: OperationKey,
    input: object | undefined,
    options: RequestOptions | undefined,
  ): Promise<{ body: Body; headers: Headers }> {
    const { response, json } = await this.#send(key, input, options, true);
    return { body: json as Body, headers: response.headers };
  }

  /** Sends the request until it succeeds. With `isJson`, each attempt includes reading its body. */
  async #send(key: OperationKey, input: object = {}, options: RequestOptions = {}, isJson = false) {
    const { retries = 3, longestPauseMs = 65_000 } = this.#options;
    const request = requestOf(this.#options, key, input, options);
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#attempt(request, options, isJson).catch((error: unknown) => error);
      if (!(outcome instanceof Error)) return outcome as { response: Response; json: unknown };
      const isTransient =
        outcome instanceof SealwatchError ? mayPass(outcome) : outcome instanceof SealwatchConnectionError;
      const asked = outcome instanceof SealwatchError ? outcome.retryAfter : null;
      if (options.signal?.aborted) throw options.signal.reason;
      const isTooLong = asked !== null && asked * 1000 > longestPauseMs;
      if (!isTransient || attempt >= (options.retries ?? retries) || isTooLong) throw outcome;
      await wait(waitBefore(attempt, asked), options.signal);
    }
  }

  async #attempt(
    { url, ...request }: OutgoingRequest,
    { signal, timeoutMs = this.#options.timeoutMs ?? 30_000 }: RequestOptions,
    isJson: boolean,
  ): Promise<{ response: Response; json: unknown }> {
    const { fetch: send = fetch } = this.#options;
    const ended = new AbortController();
    const stop = () => ended.abort(signal?.reason);
    if (signal?.aborted) throw signal.reason;
    signal?.addEventListener("abort", stop, { once: true });
    let isTimeout = false;
    const timer = setTimeout(() => {
      isTimeout = true;
      ended.abort();
    }, timeoutMs);
    try {
      const response = await send(url, { ...request, signal: ended.signal });
      if (!response.ok) throw await errorOf(response);
      return { response, json: isJson ? await response.json() : undefined };
    } catch (error) {
      if (error instanceof SealwatchError) throw error;
      const message = isTimeout ? `No answer within ${timeoutMs} ms.` : "Sealwatch could not be reached.";
      throw new SealwatchConnectionError(message, isTimeout, error);
    } finally {
      clearTimeout(timer);
      // The body of a raw answer is still to be read, and ends with the caller's signal.
      if (isJson) signal?.removeEventListener("abort", stop);
    }
  }
}

/** Whether the same request may succeed later. */
function mayPass({ status, code, retryAfter }: SealwatchError): boolean {
  // A conflict with a pause is one with the first attempt of this request, which is in progress.
  return REPEATABLE.has(status) || code === "NOT_SEALED_YET" || (code === "CONFLICT" && retryAfter !== null);
}
