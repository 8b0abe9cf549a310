import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import compression from "compression";
import { ReadyResponse } from "@/lib/api/respond";
import { pages, type Route } from "@/server/web/dispatch";

/** What a `route.ts` exports by method: https://nextjs.org/docs/app/api-reference/file-conventions/route */
type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

/** How long the rest of an unread body is let by before its connection is closed, in milliseconds. */
const LINGERING_CLOSE_MS = 1_000;
/** A reader that leaves before the end of what it asked for is no failure. */
const HAS_LEFT = /^ERR_STREAM_(PREMATURE_CLOSE|DESTROYED)$/;
const handlers = new Map<string, Readonly<Record<string, Handler>>>();
/** As Next does with what it answers itself. Not of events that are told as they happen: they would wait for more of them. */
const compress = compression({
  filter: (request, response) =>
    !String(response.getHeader("content-type")).startsWith("text/event-stream") &&
    compression.filter(request, response),
});

/**
 * Reads the route handlers of the API. Next's own way to one looks for files, rewrites and pages first, and pipes what it
 * answers through web streams: that took longer than all that the pipeline does (bench/README.md, api).
 */
export async function loadRouteHandlers(): Promise<void> {
  await Promise.all(
    pages.map(async (page) => {
      const folder = page.slice("/api/v1/".length, -"/route".length);
      // The bundler takes this pattern for all files that it may mean.
      handlers.set(page, await import(`../../app/api/v1/${folder}/route.ts`));
    }),
  );
}

/** Answers a request by the handler of its route and method. Rejects when the answer broke off. */
export async function answerByHandler(
  { page, params }: Route,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = "", headers, url } = message;
  const handler = handlers.get(page)?.[method];
  if (handler === undefined) throw new Error(`${page} handles no ${method}`);
  if (headers["accept-encoding"] !== undefined) compress(message as never, response as never, () => {});
  // As Next has it: only what a GET may not have is left out.
  const body = method === "GET" ? undefined : bodyOf(message);
  const request = new Request(`http://localhost${url}`, { method, body, duplex: "half" } as RequestInit);
  try {
    await send(await handler(request, { params: Promise.resolve(params) }), message, response);
  } finally {
    // What nobody has read of it would keep the connection from its next request.
    if (body !== undefined) message.removeAllListeners("data").resume();
  }
}

/** A request's body. Who cancels it wants no more: the rest is let go by, so that its sender gets to read the answer. */
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

/** Lets what is left of a body go by, for so long at most. */
function letBy(message: IncomingMessage): Promise<void> {
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
    // Closing beneath a body that is still on its way would reset the connection before the client has read why.
    response.setHeader("Content-Length", Buffer.byteLength(answer.content));
    response.write(answer.content);
    await letBy(message);
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
    if (!HAS_LEFT.test((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
