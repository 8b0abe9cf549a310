import ipaddr from "ipaddr.js";

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/**
 * Normalizes a host: a name in lower-case ASCII (punycode for IDN) without the final dot, or an address in canonical form.
 * Throws an Error whose message is the predicate of a sentence about `text`. Also runs in the browser.
 */
export function parseHost(text: string): string {
  const bare = text.trim().replace(/^\[(.*)\]$/, "$1");
  if (/[\p{Cc}\p{Cs}]/u.test(text)) throw new Error("must not contain control characters");
  if (/[/?#@\\\s]/.test(bare)) throw new Error("must be a host name or an address, not a URL");
  if (bare.includes("%")) throw new Error("must not have a zone");
  if (ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare)) return ipaddr.process(bare).toString();
  if (bare.includes(":")) throw new Error("must not contain a port");
  return parseName(bare);
}

/** An address in canonical form. Throws like `parseHost`. */
export function parseAddress(text: string): string {
  const bare = text.trim().replace(/^\[(.*)\]$/, "$1");
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare);
  if (!isAddress || bare.includes("%")) throw new Error("must be an IPv4 or IPv6 address");
  return ipaddr.process(bare).toString();
}

/** Normalizes a host name like `parseHost`, but refuses addresses. Throws like it. */
export function parseName(text: string): string {
  if (/[\p{Cc}\p{Cs}]/u.test(text)) throw new Error("must not contain control characters");
  const name = toAscii(text.trim()).replace(/\.$/, "");
  const labels = name.split(".");
  const isName = name.length <= 253 && labels.every((label) => LABEL.test(label));
  // Old programs write addresses as names that end in a number (RFC 6943, WHATWG URL).
  if (!isName || /^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? ""))
    throw new Error("must be a host name such as example.com");
  return name;
}

function toAscii(name: string): string {
  const lower = name.toLowerCase();
  if (/^[\x20-\x7e]*$/.test(lower)) return lower;
  // The URL parser handles IDN, but would silently drop text that is not part of a host.
  if (/[/?#@\\:%\s]/.test(name)) return "";
  try {
    return new URL(`http://${name}/`).hostname;
  } catch {
    return "";
  }
}
