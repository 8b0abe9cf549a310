import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage } from "node:http";
import { processSingleton } from "@/lib/process-singleton";

/** A request as it reached our own server, before Next saw it. A route handler cannot see the socket. */
export interface Arrival {
  /** The method as sent, also where Next knows no such method. */
  method: string;
  /** The request target as sent: path and query, not decoded. */
  target: string;
  message: IncomingMessage;
  /** Address of the TCP peer, taken when the connection opened: after a reset or a parse error the socket no longer knows it. */
  peer: string;
}

/** The arrival that the current code runs for. Unlike a header stamped on the request, nobody outside can forge it. */
export const arrivals = processSingleton("api.arrivals", () => new AsyncLocalStorage<Arrival>());
