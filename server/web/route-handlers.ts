import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import compression from "compression";
import { ReadyResponse } from "@/lib/api/respond";
import { pages, type Route } from "@/server/web/dispatch";

/** A `route.ts` exports a handler per method: https://nextjs.org/docs/app/api-reference/file-conventions/route */
type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

/** How long to discard the rest of an unread body before its connection is closed, in milliseconds. */
const LINGERING_CLOSE_MS = 1_000;
/** A client that disconnects before the end of a response is not an error. */
const CLIENT_DISCONNECTED = /^ERR_STREAM_(PREMATURE_CLOSE|DESTROYED)$/;
const handlers = new Map<string, Readonly<Record<string, Handler>>>();
/** Compresses as Next does for its own responses, except event streams, whose events would wait in a buffer. */
const compress = compression({
  filter: (request, response) =>
    !String(response.getHeader("content-type")).startsWith("text/event-stream") &&
    compression.filter(request, response),
});

/**
 * Loads the route handlers of the API. Next's own dispatch checks files, rewrites and pages first and pipes responses through
 * web streams, which took longer than the whole pipeline (bench/README.md, api).
 */
export async function loadRouteHandlers(): Promise<void> {
  await Promise.all(
    pages.map(async (page) => {
      const folder = page.slice("/api/v1/".length, -"/route".length);
      // The bundler includes every file that matches this pattern.
      handlers.set(page, await import(`../../app/api/v1/${folder}/route.ts`));
    }),
  );
}

/** Answers a request with the handler of its route and method. Rejects if the response was interrupted. */
export async function answerByHandler(
  { page, params }: Route,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = "", headers, url } = message;
  const handler = handlers.get(page)?.[method];
  if (handler === undefined) throw new Error(`${page} handles no ${method}`);
  if (headers["accept-encoding"] !== undefined) compress(message as never, response as never, () => {});
  // Like Next: only GET has no body.
  const body = method === "GET" ? undefined : bodyOf(message);
  const request = new Request(`http://localhost${url}`, { method, body, duplex: "half" } as RequestInit);
  try {
    await send(await handler(request, { params: Promise.resolve(params) }), message, response);
  } finally {
    // An unread rest would block the connection's next request.
    if (body !== undefined) message.removeAllListeners("data").resume();
  }
}

/** A request's body. After cancel(), the rest is discarded, so that the client gets to read the response. */
function bodyOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  let isWanted = true;
  return new ReadableStream({
    start(controller) {
      message.on("data", (chunk: Buffer) => {
        if (!isWanted) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) message.pause();
      });
      message.once("end", () => {
        if (isWanted) controller.close();
      });
      message.once("error", (error) => controller.error(error));
      message.once("close", () => {
        if (!message.complete) controller.error(new Error("the body was cut off"));
      });
    },
    pull() {
      message.resume();
    },
    cancel() {
      isWanted = false;
      message.resume();
    },
  });
}

/** Discards the rest of a body, for LINGERING_CLOSE_MS at most: closing before that could reset the connection. */
export function discardBody(message: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LINGERING_CLOSE_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    message.once("end", done).once("close", done).removeAllListeners("data").resume();
  });
}

async function send(answer: Response, message: IncomingMessage, response: ServerResponse): Promise<void> {
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) {
    if (name === "set-cookie") response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
  if (answer instanceof ReadyResponse && !message.complete && answer.headers.get("connection") === "close") {
    // Closing while the body is still arriving would reset the connection before the client has read the response.
    response.setHeader("Content-Length", Buffer.byteLength(answer.content));
    response.write(answer.content);
    await discardBody(message);
    response.end();
    return;
  }
  if (answer instanceof ReadyResponse || answer.body === null) {
    response.end(answer instanceof ReadyResponse ? answer.content : undefined);
    return;
  }
  response.flushHeaders();
  try {
    await pipeline(Readable.fromWeb(answer.body as NodeReadableStream), response);
  } catch (error) {
    if (!CLIENT_DISCONNECTED.test((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
