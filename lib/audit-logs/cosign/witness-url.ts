import ipaddr from "ipaddr.js";

/** Ranges of addresses from which only the own network is reached. */
const PRIVATE = ["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat"];

/**
 * The submission prefix of a witness (C2SP tlog-witness): an https URL, or an http URL of this machine or the own network. Throws an Error
 * whose message is a predicate.
 */
export function witnessUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol)) throw new Error("must be an http or https URL");
  if (url.username !== "" || url.password !== "") throw new Error("must not contain a user name or password");
  if (url.search !== "" || url.hash !== "") throw new Error("must not have a query or a fragment");
  if (text.length > 500) throw new Error("must have at most 500 characters");
  if (url.protocol === "http:" && !isOwnNetwork(url.hostname)) {
    throw new Error("must begin with https unless it is of this machine or the own network");
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "").replace(/\/add-checkpoint$/, "");
}

/** An address of the own network, or a name that only it knows: without a dot, or below a domain that is never public (RFC 6761, 6762). */
function isOwnNetwork(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (ipaddr.isValid(host)) return PRIVATE.includes(ipaddr.process(host).range());
  return !host.includes(".") || /\.(localhost|local|internal)$/.test(host);
}
