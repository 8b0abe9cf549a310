import { parseHost } from "@/lib/network/host";

/** A TCP target. */
interface HostPort {
  /** A name in ASCII or an address without brackets. */
  host: string;
  port: number;
}

/** Parses an http or https URL without credentials or fragment. Throws an Error whose message is a predicate. */
export function parseHttpTarget(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new Error("is not a valid URL");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new Error("must begin with http:// or https://");
  if (url.username !== "" || url.password !== "") throw new Error("must not contain a user or password: use headers");
  if (url.hash !== "") throw new Error("must not have a fragment");
  parseHost(hostOf(url));
  return url;
}

/** The host of a URL; an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Parses `host:port` or `[::1]:port`. Throws an Error whose message is a predicate. */
export function parseTcpTarget(text: string): HostPort {
  const [, host = "", digits = ""] = /^(\[[^\]]*\]|[^:]+):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (host === "" || port < 1 || port > 65_535) throw new Error("must be host:port, for example db.example.com:5432");
  return { host: parseHost(host), port };
}

/** The host of a target that is checked; of an IPv6 address without brackets. Throws an Error whose message is a predicate. */
export function checkedHost(type: string, target: string): string {
  if (type === "ping") return parseHost(target);
  return type === "http" ? hostOf(parseHttpTarget(target)) : parseTcpTarget(target).host;
}

/** The version of a host that is an address in canonical form; null for a name, which never ends in a number. */
export function ipVersionOf(host: string): "4" | "6" | null {
  if (host.includes(":")) return "6";
  return /\.\d+$/.test(host) ? "4" : null;
}
