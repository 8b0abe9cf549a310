import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";

/** A request as a sink reads it: its body is decompressed. */
export interface SinkRequestRead {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  text: string;
}

/** How a sink answers. `hang`: not at all. `cut`: the connection ends within the answer. */
export type SinkReply = { status: number; headers?: Record<string, string>; body?: unknown } | "hang" | "cut";

export interface SinkServer {
  url: string;
  requests: SinkRequestRead[];
  /** Replies to the next requests, instead of what the protocol says. */
  next: SinkReply[];
  close: () => void;
}

/** Starts a sink on loopback. `judge` reads a request by the protocol's documentation, and replies as it says. */
export async function sinkServer(judge: (request: SinkRequestRead) => SinkReply): Promise<SinkServer> {
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    const { pathname, searchParams } = new URL(incoming.url ?? "", "http://sink");
    const bytes = Buffer.concat(chunks);
    const isZipped = incoming.headers["content-encoding"] === "gzip";
    const text = new TextDecoder("utf-8", { fatal: true }).decode(isZipped ? gunzipSync(bytes) : bytes);
    const request = {
      method: incoming.method ?? "",
      path: pathname,
      query: searchParams,
      headers: incoming.headers,
      text,
    };
    sink.requests.push(request);
    const reply = sink.next.shift() ?? judge(request);
    if (reply === "hang") return;
    if (reply === "cut") {
      response.writeHead(200, { "content-length": 100 }).write("{");
      return void response.socket?.end();
    }
    const { status, headers = {}, body } = reply;
    const written = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(written);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const sink: SinkServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    next: [],
    close: () => server.close().closeAllConnections(),
  };
  return sink;
}
