import { parse } from "tldts";

/** Throws an Error whose message is the predicate of a sentence about a name that nobody can register (publicsuffix.org). */
export function refuseUnregistrable(name: string): void {
  const { domain, isIcann, isPrivate, publicSuffix } = parse(name, { allowPrivateDomains: true });
  if (!isIcann && !isPrivate) throw new Error(`must end in a public suffix, which ${publicSuffix ?? name} is not`);
  if (domain === null) throw new Error("is a public suffix, under which others register");
  if (domain !== name) throw new Error(`must be a registrable domain; the one of this name is ${domain}`);
}
