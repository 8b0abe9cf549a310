import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { API_PREFIX } from "@/lib/http/endpoint";

/** An answer that is read as slowly as one likes. */
export interface Opened {
  status: number;
  requestId: string;
  headers: IncomingMessage["headers"];
  /** Reads on until at least this many bytes have come in all, or the end; returns all that came. */
  read: (bytes?: number) => Promise<Buffer>;
  /** Takes what has come since, if anything, without waiting. */
  take: () => Buffer | null;
  /** Resolves when something may have come, or after `ms` milliseconds. */
  more: (ms: number) => Promise<void>;
  /** Bytes that the server's system holds because we do not read them. Linux only. */
  unsent: () => number;
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
      let size = 0;
      const take = () => {
        const chunk = incoming.read() as Buffer | null;
        if (chunk !== null) chunks.push(chunk);
        size += chunk?.length ?? 0;
        return chunk;
      };
      const read = async (bytes = Number.POSITIVE_INFINITY) => {
        while (size < bytes && !incoming.readableEnded && !incoming.destroyed) if (!take()) await change(incoming);
        return Buffer.concat(chunks);
      };
      resolve({
        status: incoming.statusCode ?? 0,
        requestId: String(incoming.headers["x-request-id"]),
        headers: incoming.headers,
        read,
        take,
        more: (ms) => change(incoming, ms),
        unsent: () => unsent(Number(port), incoming.socket.localPort ?? 0),
        ended: () => ended,
        leave: () => outgoing.destroy(),
      });
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

function unsent(from: number, to: number): number {
  const inHex = (value: number) => value.toString(16).toUpperCase().padStart(4, "0");
  const ours = new RegExp(`:${inHex(from)} [0-9A-F]+:${inHex(to)} [0-9A-F]+ ([0-9A-F]+):`);
  return Number.parseInt(ours.exec(readFileSync("/proc/net/tcp", "utf8"))?.[1] ?? "0", 16);
}

/** Resolves when there is more to read, no more will come, or the time is over. */
function change(incoming: IncomingMessage, ms = 2 ** 31 - 1): Promise<void> {
  return new Promise((resolve) => {
    const events = ["readable", "end", "close"] as const;
    const timer = setTimeout(() => done(), ms);
    const done = () => {
      clearTimeout(timer);
      for (const event of events) incoming.off(event, done);
      resolve();
    };
    for (const event of events) incoming.on(event, done);
  });
}
