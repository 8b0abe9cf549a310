import { type Finding, found } from "@/lib/certificates/findings";
import { type CaaReading, type IssuingAccount, type KnownName, permits } from "@/lib/certificates/issuance/caa-records";
import { lifetimeLeftShare } from "@/lib/certificates/lifetime";
import type { Certificate } from "@/lib/certificates/x509/x509";

/** The known issuance policy for the names of a certificate. */
export interface KnownCaa {
  /** The certificate that has these names. */
  sha256: string;
  /** The CAA domains of its issuer; null if they are not known. */
  domains: readonly string[] | null;
  names: readonly KnownName[];
  /** The URIs of accounts that the endpoint's owner expects; empty for any. */
  expectedAccounts: readonly string[];
}

const NEWS_MS = 24 * 3_600_000;
const SOON_SHARE = 1 / 3;
const MAX_NAMES = 10;

const inWords = ({ records }: CaaReading) => records.map(({ tag, value }) => `${tag} ${value}`).sort();
const urisOf = ({ accounts }: CaaReading) => [...new Set(accounts.map(({ uri }) => uri))].sort();

/** Names for which the authority that issued the certificate may not issue the next one. */
function judgeIssuer(leaf: Certificate, { domains, names }: KnownCaa, now: Date): Finding | null {
  if (domains === null) return null;
  const wanted = leaf.sans.flatMap(({ type, value }) => (type === "dns" ? [value.toLowerCase()] : []));
  const refused = names.flatMap(({ name, reading }) => {
    const isRefused = [name, `*.${name}`].some(
      (each) => wanted.includes(each) && !permits(reading.records, each !== name, domains),
    );
    return isRefused ? [{ name, at: reading.at, records: inWords(reading) }] : [];
  });
  if (refused.length === 0) return null;
  const severity = lifetimeLeftShare(leaf, now) < SOON_SHARE ? "critical" : "warning";
  return found("caa_forbids_renewal", severity, {
    issuer: leaf.issuer,
    issuer_domains: domains,
    names: refused.slice(0, MAX_NAMES),
    names_total: refused.length,
  });
}

/** A change is reported for a day. */
function judgeChanged({ names }: KnownCaa, now: Date): Finding | null {
  const changed = names.flatMap(({ name, reading, before, changedAt }) => {
    if (before === null || changedAt === null || now.getTime() - changedAt.getTime() >= NEWS_MS) return [];
    const accounts = { from: urisOf(before), to: urisOf(reading) };
    return [{ name, from: inWords(before), to: inWords(reading), accounts }];
  });
  if (changed.length === 0) return null;
  return found("caa_changed", "warning", { names: changed.slice(0, MAX_NAMES), names_total: changed.length });
}

/** Unexpected accounts that may issue. */
function judgeAccounts({ names, expectedAccounts: expected }: KnownCaa, now: Date): Finding | null {
  if (expected.length === 0) return null;
  const isOver = ({ until }: IssuingAccount) => until !== null && new Date(until) < now;
  const unexpected = names.flatMap(({ name, reading }) =>
    reading.accounts
      .filter((account) => !expected.includes(account.uri) && !isOver(account))
      .map(({ at, authority, uri, source }) => ({ name, at, authority, uri, source })),
  );
  if (unexpected.length === 0) return null;
  return found("account_unexpected", "critical", {
    accounts: unexpected.slice(0, MAX_NAMES),
    accounts_total: unexpected.length,
    expected,
  });
}

/** Findings about who may issue for the names of a certificate. Judges only names whose records were read. */
export function judgeCaa(leaf: Certificate, known: KnownCaa | null, now: Date): Finding[] {
  if (known === null || known.sha256 !== leaf.sha256) return [];
  return [judgeIssuer(leaf, known, now), judgeChanged(known, now), judgeAccounts(known, now)].filter(
    (finding) => finding !== null,
  );
}
