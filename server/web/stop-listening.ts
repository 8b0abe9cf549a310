import { once } from "node:events";
import { Server } from "node:net";

/** A turn in which nothing happens takes a few microseconds. On a busy machine longer ones count too, the more turns have passed. */
const QUIET_MS = 0.02;
const TURNS_PER_QUIET_MS = 500;
const MAX_TURNS = 10_000;
/** The first close takes 140 µs, and the sixth 6 µs. */
const REHEARSALS = 6;

/** Not the `close` of HTTP servers, which cuts off responses that are written but not sent, and disables the time limits of requests. */
const stopListening = (server: Server) => void Server.prototype.close.call(server);

async function rehearse(): Promise<void> {
  for (let n = 0; n < REHEARSALS; n++) {
    const server = new Server().listen(0, "127.0.0.1");
    await once(server, "listening");
    stopListening(server);
  }
}

/**
 * Stops listening right after a short turn of the event loop in which `server` got no connection, and resolves then. Closing a listener
 * resets the connections in the system's queue, and a proxy does not send a POST again. A turn accepts at most one connection, so after
 * such a turn the queue has only what arrived since it began: the shorter it is, the fewer.
 */
export async function stopListeningWhenQuiet(server: Server): Promise<void> {
  // Without them it only takes longer.
  await rehearse().catch(() => {});
  await new Promise<void>((resolve) => {
    let turns = 0;
    let accepted = 0;
    let acceptedBefore = -1;
    let began = performance.now();
    const count = () => void accepted++;
    server.on("connection", count);
    const look = () => {
      const quietMs = QUIET_MS * (1 + turns / TURNS_PER_QUIET_MS);
      const isQuiet = performance.now() - began < quietMs && accepted === acceptedBefore;
      if (isQuiet || ++turns === MAX_TURNS) {
        stopListening(server);
        server.off("connection", count);
        return resolve();
      }
      acceptedBefore = accepted;
      began = performance.now();
      setImmediate(look);
    };
    setImmediate(look);
  });
}
