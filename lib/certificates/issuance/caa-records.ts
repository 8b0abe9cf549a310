/** A CAA record (RFC 8659). */
export interface CaaRecord {
  /** In lower case: `issue`, `issuewild`, `iodef`, … */
  tag: string;
  value: string;
  /** Whether authorities that do not know the tag must not issue. */
  critical: boolean;
}

/** An account at an authority that a name permits to issue. */
export interface IssuingAccount {
  /** The name of the record. */
  at: string;
  /** The authority, by its CAA domain. */
  authority: string;
  uri: string;
  /** A CAA record with `accounturi` (RFC 8657), or a persistent validation, which lets the account issue without asking again. */
  source: "caa" | "validation_persist";
  /** Whether it may issue for names below as well. */
  wildcard: boolean;
  /** When a persistent validation ends; null for never. */
  until: string | null;
}

/** The authorities that DNS permits to issue for a name. */
export interface CaaReading {
  /** The name with the records: this one or the closest above it; null if there are none. */
  at: string | null;
  records: CaaRecord[];
  accounts: IssuingAccount[];
}

/** A name of a certificate and its records as last read. */
export interface KnownName {
  /** Without the wildcard. */
  name: string;
  reading: CaaReading;
  /** The reading before it changed; null if it never did. */
  before: CaaReading | null;
  changedAt: Date | null;
}

/** The domain of an authority with parameters: `ca.example; accounturi=…`. */
interface IssuerValue {
  /** Empty if nobody may issue, also for a malformed value. */
  domain: string;
  parameters: ReadonlyMap<string, string>;
}

const KNOWN_TAGS = new Set(["issue", "issuewild", "issuemail", "issuevmc", "iodef", "contactemail", "contactphone"]);
const DOMAIN = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;
const TAG = /^[a-z0-9-]+$/;

/** Parses the value of `issue` and `issuewild` (RFC 8659, 4.2). A malformed value permits nobody. */
export function parseIssuerValue(value: string): IssuerValue {
  const [domain = "", ...rest] = value.split(";").map((part) => part.trim());
  const parameters = new Map<string, string>();
  for (const part of rest.filter(Boolean)) {
    const [, tag = "", text = ""] = /^([^=\s]*)\s*=\s*(\S*)$/.exec(part) ?? [];
    if (!TAG.test(tag.toLowerCase())) return { domain: "", parameters: new Map() };
    parameters.set(tag.toLowerCase(), text);
  }
  const name = domain.toLowerCase().replace(/\.$/, "");
  return DOMAIN.test(name) ? { domain: name, parameters } : { domain: "", parameters: new Map() };
}

/** The records that apply to a certificate for the name or, if `isWildcard`, for all names below it; null for no restriction. */
function applicable(records: readonly CaaRecord[], isWildcard: boolean): CaaRecord[] | null {
  const of = (tag: string) => records.filter((record) => record.tag === tag);
  const found = isWildcard && of("issuewild").length > 0 ? of("issuewild") : of("issue");
  return found.length > 0 ? found : null;
}

/** Whether an authority with one of these CAA domains may issue (RFC 8659, 4). Domains below them count as well. */
export function permits(records: readonly CaaRecord[], isWildcard: boolean, domains: readonly string[]): boolean {
  if (records.some(({ tag, critical }) => critical && !KNOWN_TAGS.has(tag))) return false;
  const restriction = applicable(records, isWildcard);
  if (restriction === null) return true;
  return restriction.some(({ value }) => {
    const { domain } = parseIssuerValue(value);
    return domains.some((own) => domain === own || domain.endsWith(`.${own}`));
  });
}

/** The accounts in CAA records (RFC 8657). */
export function accountsInCaa(at: string, records: readonly CaaRecord[]): IssuingAccount[] {
  return records.flatMap(({ tag, value }): IssuingAccount[] => {
    const { domain, parameters } = parseIssuerValue(value);
    const uri = parameters.get("accounturi");
    if ((tag !== "issue" && tag !== "issuewild") || domain === "" || !uri) return [];
    return [{ at, authority: domain, uri, source: "caa", wildcard: tag === "issuewild", until: null }];
  });
}

/** The account in a TXT record of a persistent validation (draft-ietf-acme-dns-persist); null for other records. */
export function accountInValidation(at: string, text: string): IssuingAccount | null {
  const { domain, parameters } = parseIssuerValue(text);
  const uri = parameters.get("accounturi");
  if (domain === "" || !uri) return null;
  const seconds = parameters.get("persistuntil");
  const until = seconds !== undefined && /^\d{1,11}$/.test(seconds) ? new Date(Number(seconds) * 1000) : null;
  return {
    ...{ at, authority: domain, uri, source: "validation_persist" },
    wildcard: parameters.get("policy")?.toLowerCase() === "wildcard",
    until: until?.toISOString() ?? null,
  };
}
