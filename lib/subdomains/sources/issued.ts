import type { Found, FoundIssuance, FoundName } from "@/lib/subdomains/sources/source";

const LABEL = "(?!-)[a-z0-9_-]{1,63}(?<!-)";
const NAME = new RegExp(`^(\\*\\.)?${LABEL}(\\.${LABEL})+$`);

/** A name as it is kept, or null for one that is none, or not of the domain. */
export function nameWithin(domain: string, text: string): string | null {
  const name = text.trim().toLowerCase().replace(/\.$/, "");
  const isWithin = name === domain || name.endsWith(`.${domain}`);
  return isWithin && name.length <= 253 && NAME.test(name) ? name : null;
}

/** Parts of a name that may be quoted: `C=US, O="Example, Inc.", CN=R1`. */
const PART = /\s*([A-Za-z][A-Za-z0-9.-]*|\d+(?:\.\d+)+)\s*=\s*("(?:[^"\\]|\\.)*"|(?:[^,+\\]|\\.)*)\s*(?:[,+]|$)/gy;

/** An issuer's name as certificates have it here (RFC 4514, most specific first); as it stands where it cannot be read. */
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
  // The searches write the country first; what already begins with the common name is as it should be.
  if (parts[0]?.type !== "CN") parts.reverse();
  return parts.map(({ type, value }) => `${type}=${value}`).join(",");
}

/** A certificate as a search tells of it. */
export interface Told {
  names: readonly string[];
  issuer: string;
  notBefore: Date;
  notAfter: Date;
  revoked: boolean | null;
}

/** What certificates say of a domain: its names in them, and what was issued. */
export function toFound(domain: string, all: readonly Told[], place: string | null): Found {
  const names = new Map<string, FoundName>();
  const issuances: FoundIssuance[] = [];
  for (const { names: texts, issuer, notBefore, notAfter, revoked } of all) {
    const within = [...new Set(texts.flatMap((text) => nameWithin(domain, text) ?? []))].sort();
    if (within.length === 0) continue;
    issuances.push({ names: within, issuer: issuerName(issuer), notBefore, notAfter, revoked });
    for (const name of within) {
      const before = names.get(name)?.notAfter;
      names.set(name, { name, notAfter: before && before > notAfter ? before : notAfter, addresses: null });
    }
  }
  return { names: [...names.values()], issuances, place };
}
