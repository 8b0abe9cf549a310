import { spawn } from "node:child_process";
import diagnostics from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Listens with a short queue, and accepts nothing until it may read a byte. */
const SERVER = `const { readSync, writeSync } = require("node:fs");
  const server = require("node:http").createServer((_, response) => response.end("ok"));
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    writeSync(1, server.address().port + "\\n");
    readSync(0, Buffer.alloc(1));
  });`;

/** Connections that fill the queue. */
const QUEUED = 2;

/**
 * An HTTP server on 127.0.0.1 that drops the first packet of the next connection by name of this process, so that it takes a second until
 * the system has sent another. Returns its port and a function that ends it.
 */
export async function startSlowAcceptServer(): Promise<{ port: number; stop: () => void }> {
  const child = spawn(process.execPath, ["-e", SERVER], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const port = Number(line.toString());
  const queued: Socket[] = [];
  for (let number = 0; number < QUEUED; number++) {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    await once(socket, "connect");
    queued.push(socket);
  }
  const accept = () => {
    child.stdin.write("x");
    for (const socket of queued) socket.destroy();
  };
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    // Emitted before the first packet is sent.
    socket.once("connectionAttempt", (_ip: string, to: number) => {
      if (to !== port) return;
      diagnostics.unsubscribe("net.client.socket", onSocket);
      setImmediate(accept);
    });
  };
  diagnostics.subscribe("net.client.socket", onSocket);
  const stop = () => {
    diagnostics.unsubscribe("net.client.socket", onSocket);
    child.kill("SIGKILL");
  };
  return { port, stop };
}
