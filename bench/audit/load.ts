import { connect, type Socket } from "node:net";

/**
 * Sends GETs on keep-alive connections, each as soon as its last is answered, for so many milliseconds, with the secrets
 * in turn. Returns requests per second. Throws when one is answered with anything but 200.
 */
export async function load(
  url: string,
  path: string,
  secrets: string[],
  connections: number,
  ms: number,
): Promise<number> {
  const { hostname, port } = new URL(url);
  const started = performance.now();
  let done = 0;
  const work = async () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    while (performance.now() - started < ms) {
      const secret = secrets[done++ % secrets.length];
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${secret}\r\n\r\n`);
      const status = await answer(socket);
      if (status !== 200) throw new Error(`${path} was answered with ${status}`);
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, work));
  return done / ((performance.now() - started) / 1000);
}

/** Reads one answer to its end and returns its status. Cheap on purpose: what sends must not bound what is measured. */
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
