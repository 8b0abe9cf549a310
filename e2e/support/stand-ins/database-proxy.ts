import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";

const COMMIT = Buffer.from("COMMIT\0");

/** A TCP proxy before PostgreSQL that breaks connections at chosen moments. */
export interface DatabaseProxy {
  /** The URL of the database behind it. */
  url: string;
  /** Breaks the connection of the next commit: before the server has it, or after the server has answered it. */
  cutNextCommit: (when: "before" | "after") => void;
  /** Breaks all connections, and accepts no others until `restore`. From the next cut on with `atNextCut`. */
  goDown: (options?: { atNextCut: boolean }) => void;
  restore: () => void;
  close: () => void;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let cut: "before" | "after" | null = null;
  let isDown = false;
  let goesDownAtNextCut = false;

  const breakAll = () => {
    isDown = true;
    goesDownAtNextCut = false;
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    if (isDown) return void client.destroy();
    const database = connect({ host: target.hostname, port: Number(target.port) });
    let isAwaitingCommit = false;
    const end = () => {
      client.destroy();
      database.destroy();
      if (goesDownAtNextCut) breakAll();
    };
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
    client.on("data", (bytes) => {
      if (cut !== null && bytes.includes(COMMIT)) {
        isAwaitingCommit = cut === "after";
        cut = null;
        if (!isAwaitingCommit) return end();
      }
      database.write(bytes);
    });
    database.on("data", (bytes) => {
      if (!isAwaitingCommit) client.write(bytes);
      else if (bytes.includes(COMMIT)) end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  url.searchParams.delete("host");
  return {
    url: url.href,
    cutNextCommit: (when) => {
      cut = when;
    },
    goDown: ({ atNextCut } = { atNextCut: false }) => {
      if (atNextCut) goesDownAtNextCut = true;
      else breakAll();
    },
    restore: () => {
      isDown = false;
    },
    close: () => {
      breakAll();
      server.close();
    },
  };
}
