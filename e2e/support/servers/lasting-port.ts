import { freePort } from "@/server/port";

/**
 * A free port of loopback that stays free until it is used: it is below those that operating systems give to outgoing connections
 * and to servers without a fixed port.
 */
export function lastingPort(): Promise<number> {
  return freePort(10_000 + Math.floor(Math.random() * 20_000));
}
