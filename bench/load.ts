import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** A request with a JSON body. */
export interface Write {
  method: "POST" | "PUT";
  path: string;
  body: unknown;
}

export interface LoadOptions {
  url: string;
  path: string;
  /** What the nth request writes. If unset, requests GET `path`. */
  write?: (n: number) => Write;
  /** API keys, used in turn. */
  secrets: string[];
  connections: number;
  ms: number;
  /** Requests per second of all connections together. If unset, each connection sends the next request right after a response. */
  rate?: number;
}

export interface Outcome {
  /** Answered requests per second. */
  rate: number;
  /** Milliseconds from the time a request was due to the end of its response, one per request. */
  latencies: number[];
}

/** Sends requests on kept-alive connections. Throws if a status is not 200 or 201. */
export async function load({ url, path, write, secrets, connections, ms, rate }: LoadOptions): Promise<Outcome> {
  const { hostname, port } = new URL(url);
  const head = ` HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer `;
  const message = (n: number) => {
    const authorized = `${head}${secrets[n % secrets.length]}\r\n`;
    if (write === undefined) return `GET ${path}${authorized}\r\n`;
    const { method, path: target, body } = write(n);
    const text = JSON.stringify(body);
    return `${method} ${target}${authorized}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  };
  const latencies: number[] = [];
  let next = 0;
  const started = performance.now();
  const work = async (index: number) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    for (let round = 0; ; round++) {
      // A request that waits for its connection counts this wait as part of its own time.
      const due = rate === undefined ? performance.now() : started + ((round * connections + index) * 1000) / rate;
      if (due > started + ms) break;
      const early = due - performance.now();
      if (early > 0) await delay(early);
      const asked = early > 0 ? performance.now() : due;
      socket.write(message(next++));
      const status = await answer(socket);
      if (status !== 200 && status !== 201) throw new Error(`${url}${path} was answered with ${status}`);
      latencies.push(performance.now() - asked);
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => work(index)));
  return { rate: latencies.length / ((performance.now() - started) / 1000), latencies };
}

/** Reads one response to its end and returns its status. Deliberately cheap, so that the load generator is not the bottleneck. */
function answer(socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = "";
    const take = (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const head = text.indexOf("\r\n\r\n");
      if (head === -1) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      const isWhole = length === undefined ? text.endsWith("\r\n0\r\n\r\n") : text.length >= head + 4 + Number(length);
      if (!isWhole) return;
      stop();
      resolve(Number(text.slice(9, 12)));
    };
    const fail = (error?: Error) => {
      stop();
      reject(error ?? new Error("the server closed the connection"));
    };
    const stop = () => socket.off("data", take).off("error", fail).off("close", fail);
    socket.on("data", take).on("error", fail).on("close", fail);
  });
}
