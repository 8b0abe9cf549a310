import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { API_PREFIX } from "@/lib/http/endpoint";

/** A response that a test reads at its own speed. */
export interface Opened {
  status: number;
  requestId: string;
  headers: IncomingMessage["headers"];
  /** Reads until at least this many bytes have arrived in total, or until the end; returns all bytes. */
  read: (bytes?: number) => Promise<Buffer>;
  /** Returns the bytes that have arrived since the last read, without waiting. */
  take: () => Buffer | null;
  /** Resolves when data may have arrived, or after `ms` milliseconds. */
  more: (ms: number) => Promise<void>;
  /** Bytes in the server's send buffer because we do not read them. Linux only. */
  unsent: () => number;
  /** Whether the server has ended the response, complete or not. */
  ended: () => boolean;
  /** Closes the connection. */
  leave: () => void;
}

/** Sends a GET on a separate connection and returns after the head of the response, before reading its body. */
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

/** Resolves when there is more to read, at the end, or after the timeout. */
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
