import { createServer as createHttpServer } from "node:http";
import type { AddressInfo, Server as TcpServer } from "node:net";
import { createServer as createTcpServer, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { lastingPort } from "@/e2e/support/servers/lasting-port";
import type { TestCertificate } from "@/e2e/support/stand-ins/test-certificates";

/** A file server's response for a path: a body, or a complete response. */
export type FileResponse = Buffer | { status: number; headers?: Record<string, string>; body?: Buffer } | "silence";

/** Starts a file server on loopback, whose files may change; `asked` has the requested paths. */
export async function serveFiles(): Promise<
  TestServer & { files: Map<string, FileResponse>; asked: string[]; url: (path: string) => string }
> {
  const files = new Map<string, FileResponse>();
  const asked: string[] = [];
  const server = createHttpServer((request, response) => {
    asked.push(request.url ?? "");
    const file = files.get(request.url ?? "") ?? { status: 404 };
    if (file === "silence") return;
    const { status, headers, body } = Buffer.isBuffer(file) ? { status: 200, body: file, headers: {} } : file;
    response.writeHead(status, headers).end(body);
  });
  const testServer = await keep(server, server);
  return Object.assign(testServer, {
    files,
    asked,
    url: (path: string) => `http://127.0.0.1:${testServer.port}${path}`,
  });
}

/** A server on loopback with the number of its open connections. */
export interface TestServer {
  port: number;
  open: () => number;
  close: () => Promise<void>;
}

function keep(server: TcpServer, sockets: TcpServer, address = "127.0.0.1"): Promise<TestServer> {
  const open = new Set<Socket>();
  sockets.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, address, () =>
      resolve({
        port: (server.address() as AddressInfo).port,
        open: () => open.size,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            for (const socket of open) socket.destroy();
          }),
      }),
    );
  });
}

/**
 * Starts a TLS server that serves `chain` unchanged, with the key of the first certificate and the stapled OCSP response, if any.
 * `0.0.0.0` means all of 127.0.0.0/8.
 */
export function serveTls(
  chain: TestCertificate[],
  options: TlsOptions = {},
  address = "127.0.0.1",
  staple?: Buffer,
): Promise<TestServer> {
  const cert = chain.map(({ pem }) => pem).join("");
  const server = createTlsServer({ key: chain[0]?.keyPem, cert, ...options }, (socket) => socket.on("error", () => {}));
  server.on("tlsClientError", () => {});
  if (staple !== undefined) server.on("OCSPRequest", (_certificate, _issuer, answer) => answer(null, staple));
  return keep(server, server, address);
}

/** Starts a TCP server that calls `greet` for each connection. `0.0.0.0` means all of 127.0.0.0/8. */
export function serveTcp(greet: (socket: Socket) => void, address = "127.0.0.1"): Promise<TestServer> {
  const server = createTcpServer((socket) => {
    greet(socket);
    // Without reading, the socket would not notice that the peer has closed it.
    socket.resume();
  });
  return keep(server, server, address);
}

/** A port on loopback without a listener, another one at each call. */
export async function closedPort(): Promise<number> {
  const port = await lastingPort();
  if (given.has(port)) return closedPort();
  given.add(port);
  return port;
}
const given = new Set<number>();
