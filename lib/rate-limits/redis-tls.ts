import type { RedisOptions } from "ioredis";
import { serverNameOf } from "@/lib/network/names/server-name-of";

/** The TLS options of a client of `rediss://`: the server's name, which ioredis does not send by itself. */
export function redisTls(url: string): Pick<RedisOptions, "tls"> {
  const { protocol, hostname } = new URL(url);
  return protocol === "rediss:" ? { tls: serverNameOf(hostname.replace(/^\[(.*)\]$/, "$1")) } : {};
}
