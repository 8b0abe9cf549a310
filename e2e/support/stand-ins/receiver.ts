import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server that receives notifications. It keeps requests in order, and its responses can be set. */
export interface Receiver {
  url: string;
  received: Received[];
  /** The response to the next requests; `hang` leaves them without one. */
  answer: number | "hang";
  close: () => void;
}

/** Starts one on loopback. */
export async function newReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    receiver.received.push({ path: request.url ?? "", headers: request.headers, body });
    if (receiver.answer !== "hang") response.writeHead(receiver.answer).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    answer: 200,
    close: () => server.close().closeAllConnections(),
  };
  return receiver;
}
