import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { SubjectAltName } from "@/lib/certificates/x509/x509";

/** Whether `pattern` (a dNSName) covers `name`. Only the whole left-most label may be `*`, which matches one label (RFC 9525). */
function matchesPattern(pattern: string, name: string): boolean {
  const wanted = pattern.toLowerCase().replace(/\.$/, "");
  if (wanted === name) return true;
  if (!wanted.startsWith("*.")) return false;
  const suffix = wanted.slice(1);
  // `*.com` would cover a whole registry; browsers reject it.
  if (suffix.indexOf(".", 1) === -1 || suffix.includes("*")) return false;
  const label = name.slice(0, -suffix.length);
  return name.endsWith(suffix) && label !== "" && !label.includes(".");
}

/** Whether these names cover `host`, a name in ASCII or an address. The common name never counts. */
export function coversHost(sans: readonly SubjectAltName[], host: string): boolean {
  if (isIP(host) !== 0) {
    const address = ipaddr.parse(host).toString();
    return sans.some(({ type, value }) => type === "ip" && value === address);
  }
  const name = host.toLowerCase().replace(/\.$/, "");
  return sans.some(({ type, value }) => type === "dns" && matchesPattern(value, name));
}
