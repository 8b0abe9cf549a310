import type { Found, FoundIssuance, FoundName } from "@/lib/subdomains/sources/source";

const LABEL = "(?!-)[a-z0-9_-]{1,63}(?<!-)";
const NAME = new RegExp(`^(\\*\\.)?${LABEL}(\\.${LABEL})+$`);

/** A name in stored form; null if it is invalid or does not belong to the domain. */
export function nameWithin(domain: string, text: string): string | null {
  const name = text.trim().toLowerCase().replace(/\.$/, "");
  const isWithin = name === domain || name.endsWith(`.${domain}`);
  return isWithin && name.length <= 253 && NAME.test(name) ? name : null;
}

/** Attributes of a name, possibly quoted: `C=US, O="Example, Inc.", CN=R1`. */
const PART = /\s*([A-Za-z][A-Za-z0-9.-]*|\d+(?:\.\d+)+)\s*=\s*("(?:[^"\\]|\\.)*"|(?:[^,+\\]|\\.)*)\s*(?:[,+]|$)/gy;

/** An issuer's name in RFC 4514 form, most specific first; unchanged if it cannot be parsed. */
export function issuerName(text: string): string {
  const parts: { type: string; value: string }[] = [];
  PART.lastIndex = 0;
  let read = 0;
  for (let match = PART.exec(text); match !== null && match[0] !== ""; match = PART.exec(text)) {
    const [, type = "", raw = ""] = match;
    const value = raw.startsWith('"')
      ? raw
          .slice(1, -1)
          .replace(/\\(.)/g, "$1")
          .replace(/[,+"\\]/g, "\\$&")
      : raw;
    parts.push({ type: type.toUpperCase(), value: value.trim() });
    read = PART.lastIndex;
  }
  if (parts.length === 0 || read < text.length) return text.trim();
  // The searches write the country first; a name that starts with the common name is already in order.
  if (parts[0]?.type !== "CN") parts.reverse();
  return parts.map(({ type, value }) => `${type}=${value}`).join(",");
}

/** A certificate as a search returns it. */
export interface SearchResult {
  names: readonly string[];
  issuer: string;
  notBefore: Date;
  notAfter: Date;
  revoked: boolean | null;
  publicKeySha256: string | null;
}

/** The names and certificates of a domain. */
export function toFound(domain: string, all: readonly SearchResult[], place: string | null): Found {
  const names = new Map<string, FoundName>();
  const issuances: FoundIssuance[] = [];
  for (const { names: texts, issuer, notAfter, ...rest } of all) {
    const within = [...new Set(texts.flatMap((text) => nameWithin(domain, text) ?? []))].sort();
    if (within.length === 0) continue;
    issuances.push({ ...rest, names: within, issuer: issuerName(issuer), notAfter });
    for (const name of within) {
      const before = names.get(name)?.notAfter;
      names.set(name, { name, notAfter: before && before > notAfter ? before : notAfter, addresses: null });
    }
  }
  return { names: [...names.values()], issuances, place };
}
