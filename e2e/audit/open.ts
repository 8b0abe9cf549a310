import { type IncomingMessage, request } from "node:http";
import { API_PREFIX } from "@/lib/api/endpoint";

/** An answer that is read as slowly as one likes. */
export interface Opened {
  status: number;
  requestId: string;
  headers: IncomingMessage["headers"];
  /** Reads on until at least this many bytes have come in all, or the end; returns all that came. */
  read: (bytes?: number) => Promise<Buffer>;
  /** Whether the server ended it, one way or another. */
  ended: () => boolean;
  /** Goes away without a word. */
  leave: () => void;
}

/** Sends a GET on a connection of its own and returns once the head of the answer is there; nothing is read yet. */
export function open(url: string, path: string, headers: Record<string, string>): Promise<Opened> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: hostname, port, path: API_PREFIX + path, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      let ended = false;
      incoming.on("error", () => {});
      incoming.once("close", () => {
        ended = true;
      });
      const read = async (bytes = Number.POSITIVE_INFINITY) => {
        let size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
        while (size < bytes && !incoming.readableEnded && !incoming.destroyed) {
          const chunk = incoming.read() as Buffer | null;
          if (chunk === null) await change(incoming);
          else size += chunks.push(chunk) && chunk.length;
        }
        return Buffer.concat(chunks);
      };
      resolve({
        status: incoming.statusCode ?? 0,
        requestId: String(incoming.headers["x-request-id"]),
        headers: incoming.headers,
        read,
        ended: () => ended,
        leave: () => outgoing.destroy(),
      });
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

/** Resolves when there is more to read, or no more will come. */
function change(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const events = ["readable", "end", "close"] as const;
    const done = () => {
      for (const event of events) incoming.off(event, done);
      resolve();
    };
    for (const event of events) incoming.on(event, done);
  });
}
