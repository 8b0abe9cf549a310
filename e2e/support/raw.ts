import { connect } from "node:net";

const DEADLINE_MS = 120_000;

export interface RawAnswer {
  status: number;
  /** By lower-case name; the last value of a repeated header. */
  headers: Record<string, string>;
  body: string;
  /** All received bytes, up to the close or the end of the first response's body. */
  bytes: Buffer;
}

function parse(bytes: Buffer): (RawAnswer & { complete: boolean }) | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [statusLine = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const sent = bytes.subarray(end + 4);
  const length = headers["content-length"];
  const complete = length === undefined ? sent.toString("latin1").endsWith("0\r\n\r\n") : sent.length >= Number(length);
  const body = headers["transfer-encoding"] === "chunked" ? joinChunks(sent) : sent;
  return { status: Number(statusLine.split(" ")[1]), headers, body: body.toString("utf8"), bytes, complete };
}

function joinChunks(sent: Buffer): Buffer {
  const end = sent.indexOf("\r\n");
  const size = Number.parseInt(sent.toString("latin1", 0, end), 16);
  if (end === -1 || !size) return Buffer.alloc(0);
  return Buffer.concat([sent.subarray(end + 2, end + 2 + size), joinChunks(sent.subarray(end + 4 + size))]);
}

/** A request that can be continued. */
export interface OpenRequest {
  send: (bytes: string | Buffer) => void;
  /** Closes the connection immediately. */
  hangUp: () => void;
  isAnswered: boolean;
  /** Undefined if the server closed the connection without a response. */
  answer: Promise<RawAnswer | undefined>;
}

/** Writes raw bytes to the server's socket, for requests that no HTTP client would send or interrupt, and reads one response. */
export function openRequest(server: { url: string }, bytes: string | Buffer): OpenRequest {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname.replace(/^\[(.*)\]$/, "$1"));
  const answer = new Promise<RawAnswer | undefined>((resolve, reject) => {
    let received = Buffer.alloc(0);
    const timer = setTimeout(() => socket.destroy(new Error("no complete response came")), DEADLINE_MS);
    const finish = () => {
      clearTimeout(timer);
      opened.isAnswered = true;
      resolve(parse(received));
      socket.destroy();
    };
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (parse(received)?.complete) finish();
    });
    socket.once("close", finish);
    socket.once("error", (error: NodeJS.ErrnoException) => {
      // A server that refuses a body may close while we still write it; its earlier response counts.
      if (error.code === "EPIPE" || error.code === "ECONNRESET") return finish();
      clearTimeout(timer);
      reject(error);
    });
    socket.write(bytes);
  });
  const opened: OpenRequest = {
    send: (more) => void socket.write(more),
    hangUp: () => void socket.destroy(),
    isAnswered: false,
    answer,
  };
  return opened;
}

/** The same for a complete request. */
export function rawRequest(server: { url: string }, bytes: string | Buffer): Promise<RawAnswer | undefined> {
  return openRequest(server, bytes).answer;
}

/** Writes bytes and closes the connection without waiting for a response, like a client that disconnects during a request. */
export function hangUp(server: { url: string }, bytes: string | Buffer): Promise<void> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname.replace(/^\[(.*)\]$/, "$1"));
    socket.once("error", reject);
    socket.write(bytes, () => socket.destroy());
    socket.once("close", () => resolve());
  });
}
