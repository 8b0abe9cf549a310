import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage } from "node:http";
import { processSingleton } from "@/lib/process-singleton";

/** A request as it reached our own server, before Next handled it. A route handler cannot see the socket. */
export interface Arrival {
  /** The method as sent, even if Next does not know it. */
  method: string;
  /** The request target as sent: path and query, still encoded. */
  target: string;
  message: IncomingMessage;
  /** Address of the TCP peer, read when the connection opened: after a reset or a parse error the socket no longer has it. */
  peer: string;
}

/** The arrival that the current code handles. Unlike a header on the request, clients cannot forge it. */
export const arrivals = processSingleton("api.arrivals", () => new AsyncLocalStorage<Arrival>());
