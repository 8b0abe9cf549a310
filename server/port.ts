import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Refusal } from "@/server/web/refusal";

/** The web process of a killed supervisor keeps the port for up to this long while it finishes its requests. */
const FREE_PORT_TIMEOUT_MS = 12_000;

/** Why a server cannot listen on this port now, as an error code; undefined if it can. */
export function tryListening(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

/** Waits until a server can listen on the port of these settings. Throws Refusal if it stays in use. */
export async function awaitPort(
  port: number,
  host: string,
  signal: AbortSignal,
  settings = { port: "PORT", host: "HOST" },
): Promise<void> {
  const giveUp = Date.now() + FREE_PORT_TIMEOUT_MS;
  for (let attempt = 0; !signal.aborted; attempt++) {
    const problem = await tryListening(port, host);
    switch (problem) {
      case undefined:
        return;
      case "EADDRINUSE":
        if (Date.now() > giveUp)
          throw new Refusal(
            `Port ${port} is in use by another program. Stop that program, or set ${settings.port} to a free port.`,
          );
        if (attempt === 0)
          console.error(`Port ${port} is in use; waiting ${FREE_PORT_TIMEOUT_MS / 1000} s for it to become free…`);
        break;
      case "EACCES":
        throw new Refusal(
          `This account is not allowed to open ${settings.port} ${port}. Set ${settings.port} to a number above 1023.`,
        );
      case "EADDRNOTAVAIL":
      case "ENOTFOUND":
      case "EAI_AGAIN":
        throw new Refusal(`${settings.host} ${host} is not an address of this machine.`);
      default:
        throw new Refusal(`Sealwatch cannot listen on ${host}, port ${port} (${problem}).`);
    }
    await delay(200);
  }
}

/** A port on loopback that is free now; `preferred` if possible. */
export async function freePort(preferred = 0): Promise<number> {
  const server = createServer();
  try {
    return await new Promise<number>((resolve, reject) => {
      server.once("error", reject);
      server.listen(preferred, "127.0.0.1", () => {
        const address = server.address();
        resolve(typeof address === "object" && address ? address.port : 0);
      });
    });
  } catch (error) {
    if (preferred === 0) throw error;
    return freePort();
  } finally {
    server.close();
  }
}
