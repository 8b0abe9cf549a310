import { hintOf, isSecret } from "@/lib/auth/secret-form";

/** What a pasted or typed text is. Values are in the form in which the API takes them. */
export type Recognized =
  /** A whole secret of an API key. It must not leave the browser; only its hash may. */
  | { kind: "secret"; secret: string; hint: string }
  /** Part of a secret, or one with a typing error. It must not leave the browser. */
  | { kind: "damaged_secret" }
  /** `sw_Ab…x9Zk` */
  | { kind: "hint"; hint: string }
  | { kind: "id"; id: string }
  /** An address or a CIDR range. */
  | { kind: "network"; network: string }
  /** SHA-256 of a certificate, 64 hexadecimal digits. */
  | { kind: "fingerprint"; sha256: string }
  /** Serial number of a certificate, in hexadecimal without separators. */
  | { kind: "serial"; serial: string }
  | { kind: "path"; path: string }
  | { kind: "host"; host: string }
  /** `404`, or `4xx`. */
  | { kind: "status"; status: string };

/** Characters that are looked at; more than any of the texts above needs. */
const MAX_TEXT_LENGTH = 500;
/** Fewer characters may be a name that begins so, and leave 140 random bits of a secret unknown. */
const SECRET_LIKE = /sw_[0-9A-Za-z]{16,}/;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

/** Says what `text` is; null if it is only text. Pure, and looks at the first 500 characters only. */
export function recognize(text: string): Recognized | null {
  // Before anything is cut off: the rest of a secret must not pass as harmless text.
  if (SECRET_LIKE.test(text)) return secretIn(text);
  const bare = text
    .slice(0, MAX_TEXT_LENGTH)
    .trim()
    .replace(/^["'`(]+|["'`),;]+$/g, "");
  return hint(bare) ?? status(bare) ?? url(bare) ?? id(bare) ?? network(bare) ?? certificate(bare) ?? host(bare);
}

/** Whether `text` contains what may be a secret, so that it must be neither sent nor stored. */
export function isConfidential(text: string): boolean {
  return SECRET_LIKE.test(text);
}

function secretIn(text: string): Recognized {
  const secret = text.match(/sw_[0-9A-Za-z]+/g)?.find(isSecret);
  return secret === undefined ? { kind: "damaged_secret" } : { kind: "secret", secret, hint: hintOf(secret) };
}

function hint(text: string): Recognized | null {
  const [, start, end] = /^(sw_[0-9A-Za-z]{2})(?:…|\.{2,3})([0-9A-Za-z]{4})$/.exec(text) ?? [];
  return start === undefined ? null : { kind: "hint", hint: `${start}…${end}` };
}

function status(text: string): Recognized | null {
  return /^[1-5](\d\d|xx)$/i.test(text) ? { kind: "status", status: text.toLowerCase() } : null;
}

/** A path of the API, with or without the method and the origin; or the host of another URL. */
function url(text: string): Recognized | null {
  const target = text.replace(/^(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS) +/, "");
  const [, host = "", path = ""] = /^(?:[a-z][a-z0-9+.-]{0,20}:\/\/([^/?#\s]*))?(\/[^?#\s]*)?/i.exec(target) ?? [];
  // The filter takes a comma for the end of a value, and an asterisk for any text.
  if (path !== "" && (host === "" || path.startsWith("/api/")))
    return /[,*]/.test(path) ? null : { kind: "path", path };
  return host === "" ? null : (id(text) ?? network(host) ?? hostOf(host));
}

/** The only id in the text, such as the one in `x-request-id: …` or in an error's body. */
function id(text: string): Recognized | null {
  const ids = new Set(text.toLowerCase().match(UUID));
  const [only] = ids;
  return ids.size === 1 && only !== undefined ? { kind: "id", id: only } : null;
}

/** An address or a CIDR range, whose bits after the prefix become 0. Without the library that the API uses: pages would load it first. */
function network(text: string): Recognized | null {
  const bare = text.replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^::ffff:(?=\d+\.)/i, "");
  const [, v4, prefix] = /^(\d{1,3}(?:\.\d{1,3}){3})(?:\/(\d{1,2})|:\d{1,5})?$/.exec(bare) ?? [];
  if (v4 !== undefined) return ipv4(v4.split(".").map(Number), Number(prefix ?? 32));
  const [, v6 = "", length] = /^([0-9a-f:]*:[0-9a-f]*:[0-9a-f:.]{0,40})(?:\/(\d{1,3}))?$/i.exec(bare) ?? [];
  // Eight groups of two digits are rather a serial number.
  if (/^([0-9a-f]{2}:){7}[0-9a-f]{2}$/i.test(v6)) return null;
  const address = v6 === "" ? undefined : hostnameOf(`[${v6}]`)?.slice(1, -1);
  if (address === undefined || Number(length ?? 128) > 128) return null;
  return { kind: "network", network: length === undefined ? address : `${address}/${Number(length)}` };
}

function ipv4(octets: number[], prefix: number): Recognized | null {
  if (prefix > 32 || octets.some((octet) => octet > 255)) return null;
  const kept = octets.map((octet, index) => octet & (0xff00 >> Math.min(8, Math.max(0, prefix - 8 * index))));
  return { kind: "network", network: prefix === 32 ? kept.join(".") : `${kept.join(".")}/${prefix}` };
}

/** The host as a URL has it: lower case, punycode, canonical address. */
function hostnameOf(host: string): string | null {
  try {
    return new URL(`http://${host}/`).hostname;
  } catch {
    return null;
  }
}

/** A fingerprint or a serial number, as certificates and tools print them: with or without colons. */
function certificate(text: string): Recognized | null {
  const [, digits = ""] =
    /^(?:(?:sha-?256|fingerprint|serial)[a-z0-9 -]{0,30}[=:] ?)?(?:0x)?([0-9a-f]{2}(?:[: ]?[0-9a-f]{2}){7,31})$/i.exec(
      text,
    ) ?? [];
  const hex = digits.replace(/[: ]/g, "").toLowerCase();
  if (hex.length === 64) return { kind: "fingerprint", sha256: hex };
  // X.509 allows 20 bytes; shorter than eight would take dates and numbers for serials.
  return hex.length >= 16 && hex.length <= 40 ? { kind: "serial", serial: hex } : null;
}

function host(text: string): Recognized | null {
  return text.includes(".") ? hostOf(text) : null;
}

function hostOf(text: string): Recognized | null {
  const name = text.replace(/:\d{1,5}$/, "").replace(/^\*\.|\.$/g, "");
  // A name that ends in a number is an address to old programs.
  if (!/^[\p{L}\p{N}_-]{1,63}(\.[\p{L}\p{N}_-]{1,63})*$/u.test(name) || /(^|\.)\d+$/.test(name)) return null;
  const host = hostnameOf(name);
  return host === null || host.length > 253 ? null : { kind: "host", host };
}
