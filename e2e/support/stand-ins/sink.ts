import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that a sink got; `body` as sent. */
export interface SinkArrival {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** What a sink does with a request: answers with a status, perhaps with headers and a body, leaves it open, or cuts the connection. */
export type SinkAct =
  | number
  | "hang"
  | "cut"
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Answers with 200 after this promise. */
  | { after: Promise<unknown> };

/** A server that receives batches. It keeps what it answered with 2xx, in order. */
export interface Sink {
  url: string;
  /** Every request. */
  arrivals: SinkArrival[];
  /** Those that were answered with 2xx. */
  taken: SinkArrival[];
  /** What to do with the next requests. */
  act: SinkAct | ((arrival: SinkArrival) => SinkAct);
  close: () => void;
}

/** Starts one on loopback, at a port if given. */
export async function newSink(port = 0): Promise<Sink> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      return;
    }
    const { method = "", url = "", headers } = request;
    const arrival = { method, path: url, headers, body: Buffer.concat(chunks) };
    sink.arrivals.push(arrival);
    const act = typeof sink.act === "function" ? sink.act(arrival) : sink.act;
    await perform(act, arrival, response);
  });
  const perform = async (act: SinkAct, arrival: SinkArrival, response: ServerResponse) => {
    if (act === "hang") return;
    if (act === "cut") return response.socket?.destroy();
    if (typeof act === "object" && "after" in act) await act.after;
    const {
      status,
      headers = {},
      body = "",
    } = typeof act === "number" ? { status: act } : "after" in act ? { status: 200 } : act;
    if (status >= 200 && status < 300) sink.taken.push(arrival);
    response.writeHead(status, headers).end(body);
  };
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const sink: Sink = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals: [],
    taken: [],
    act: 200,
    close: () => server.close().closeAllConnections(),
  };
  return sink;
}
