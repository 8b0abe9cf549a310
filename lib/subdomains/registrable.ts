import { parse } from "tldts";

/** Throws an Error whose message is a predicate if the name cannot be registered (publicsuffix.org). */
export function refuseUnregistrable(name: string): void {
  const { domain, isIcann, isPrivate, publicSuffix } = parse(name, { allowPrivateDomains: true });
  if (!isIcann && !isPrivate)
    throw new Error(`must end in a public suffix; ${publicSuffix ?? name} is not a public suffix`);
  if (domain === null) throw new Error("is a public suffix, not a registrable domain");
  if (domain !== name) throw new Error(`must be a registrable domain: use ${domain}`);
}
