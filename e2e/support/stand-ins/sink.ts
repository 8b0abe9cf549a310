import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";

/** A request that a sink got. */
export interface SinkArrival {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** As sent. */
  body: Buffer;
  /** The body as text, decompressed if it is gzipped. Throws TypeError if it is not UTF-8. */
  readonly text: string;
}

/**
 * What a sink does with a request: answers with a status, perhaps with headers and a body, which is sent as JSON unless it is text.
 * `hang`: no answer. `reset`: the connection ends without an answer. `cut`: it ends within the answer.
 */
export type SinkAct =
  | number
  | "hang"
  | "reset"
  | "cut"
  | { status: number; headers?: Record<string, string>; body?: unknown }
  /** Answers with 200 after this promise. */
  | { after: Promise<unknown> };

/** A server that receives batches. It keeps what it answered with 2xx, in order. */
export interface Sink {
  url: string;
  /** Every request. */
  arrivals: SinkArrival[];
  /** Those that were answered with 2xx. */
  taken: SinkArrival[];
  /** What to do with requests. */
  act: SinkAct | ((arrival: SinkArrival) => SinkAct);
  /** What to do with the next ones instead. */
  next: SinkAct[];
  close: () => void;
}

/** Starts one on loopback, at a port if given. A function reads a request by the protocol's documentation, and answers as it says. */
export async function newSink(act: Sink["act"] = 200, port = 0): Promise<Sink> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      return;
    }
    const { method = "", url = "", headers } = request;
    const { pathname, searchParams } = new URL(url, "http://sink");
    const arrival = arrivalOf({ method, path: pathname, query: searchParams, headers, body: Buffer.concat(chunks) });
    sink.arrivals.push(arrival);
    const given = sink.next.shift() ?? sink.act;
    await perform(typeof given === "function" ? given(arrival) : given, arrival, response);
  });
  const perform = async (act: SinkAct, arrival: SinkArrival, response: ServerResponse) => {
    if (act === "hang") return;
    if (act === "reset") return response.socket?.destroy();
    if (act === "cut") {
      response.writeHead(200, { "content-length": 100 }).write("{");
      return response.socket?.end();
    }
    if (typeof act === "object" && "after" in act) await act.after;
    const answer = typeof act === "number" || "after" in act ? { status: typeof act === "number" ? act : 200 } : act;
    const { status, headers = {}, body } = { headers: {}, body: undefined, ...answer };
    if (status >= 200 && status < 300) sink.taken.push(arrival);
    const written = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(written);
  };
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const sink: Sink = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals: [],
    taken: [],
    act,
    next: [],
    close: () => server.close().closeAllConnections(),
  };
  return sink;
}

function arrivalOf(arrival: Omit<SinkArrival, "text">): SinkArrival {
  return {
    ...arrival,
    get text() {
      const { body } = this;
      const isGzip = body[0] === 0x1f && body[1] === 0x8b;
      return new TextDecoder("utf-8", { fatal: true }).decode(isGzip ? gunzipSync(body) : body);
    },
  };
}
