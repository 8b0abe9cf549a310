import ipaddr from "ipaddr.js";

/** Ranges of addresses of private networks. */
const PRIVATE = ["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat"];

/**
 * The submission prefix of a witness (C2SP tlog-witness): an https URL, or an http URL of this machine or a private network. Throws an Error
 * whose message is a predicate.
 */
export function witnessUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol)) throw new Error("must be an http or https URL");
  if (url.username !== "" || url.password !== "") throw new Error("must not contain a user name or password");
  if (url.search !== "" || url.hash !== "") throw new Error("must not have a query or a fragment");
  if (text.length > 500) throw new Error("must have at most 500 characters");
  if (url.protocol === "http:" && !isPrivateNetwork(url.hostname)) {
    throw new Error("must begin with https unless it is of this machine or a private network");
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "").replace(/\/add-checkpoint$/, "");
}

/** An address of a private network, or a name that only resolves there: without a dot, or below a domain that is never public (RFC 6761, 6762). */
function isPrivateNetwork(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (ipaddr.isValid(host)) return PRIVATE.includes(ipaddr.process(host).range());
  return !host.includes(".") || /\.(localhost|local|internal)$/.test(host);
}
