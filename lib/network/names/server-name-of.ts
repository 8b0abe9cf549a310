import { isIP } from "node:net";

/** The name that a TLS client sends to a host (SNI): none if the host is an address (RFC 6066, 3). `connect` of `node:tls` derives none. */
export function serverNameOf(host: string): { servername?: string } {
  return isIP(host) === 0 ? { servername: host } : {};
}
