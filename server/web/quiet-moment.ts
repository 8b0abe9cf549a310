import type { Server } from "node:net";

const QUIET_MS = 0.5;
const MAX_TURNS = 10_000;

/**
 * Resolves right after a short turn of the event loop in which `server` got no connection, so that the system's connection queue
 * is empty: closing the listener resets queued connections, and a proxy does not send a POST again. A turn accepts at most one
 * connection.
 */
export function quietMoment(server: Server): Promise<void> {
  return new Promise((resolve) => {
    let turns = 0;
    let accepted = 0;
    let acceptedBefore = -1;
    let began = performance.now();
    const count = () => void accepted++;
    server.on("connection", count);
    const look = () => {
      const now = performance.now();
      const isQuiet = now - began < QUIET_MS && accepted === acceptedBefore;
      if (isQuiet || ++turns === MAX_TURNS) {
        server.off("connection", count);
        return resolve();
      }
      began = now;
      acceptedBefore = accepted;
      setImmediate(look);
    };
    setImmediate(look);
  });
}
