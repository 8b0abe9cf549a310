import type { Resolver } from "node:dns/promises";
import { getDomain } from "tldts";
import {
  accountInValidation,
  accountsInCaa,
  type CaaReading,
  type CaaRecord,
  type IssuingAccount,
} from "@/lib/certificates/issuance/caa-records";
import { codeOf, dnsFailure, readCaaRecord } from "@/lib/network/name-servers";
import { visible } from "@/lib/text/visible";

/** Error codes that mean that there is no such record, rather than a failed query. */
const NOTHING = new Set(["ENOTFOUND", "ENODATA"]);
const MAX_RECORDS = 50;
const MAX_VALUE_LENGTH = 1_000;

/** The records, or none. Throws the DNS error if the query failed: then nothing is known. */
async function orNone<T>(query: Promise<T[]>): Promise<T[]> {
  try {
    return (await query).slice(0, MAX_RECORDS);
  } catch (error) {
    if (NOTHING.has(codeOf(error))) return [];
    throw error;
  }
}

/** `a.b.example`, `b.example`, `example`. */
function climb(name: string): string[] {
  const labels = name.split(".");
  return labels.map((_, at) => labels.slice(at).join("."));
}

const bounded = (text: string) => visible(text.slice(0, MAX_VALUE_LENGTH));

async function caaOf(resolver: Resolver, name: string): Promise<CaaRecord[]> {
  const rows = await orNone(resolver.resolveCaa(name));
  const records = rows.map(readCaaRecord).map(({ flags, tag, value }) => ({
    tag: bounded(tag.toLowerCase()),
    value: bounded(value),
    critical: (flags & 0x80) !== 0,
  }));
  // Name servers answer in any order.
  return records.sort((one, other) => `${one.tag} ${one.value}`.localeCompare(`${other.tag} ${other.value}`));
}

async function validationsOf(resolver: Resolver, name: string): Promise<IssuingAccount[]> {
  const at = `_validation-persist.${name}`;
  const texts = (await orNone(resolver.resolveTxt(at))).map((parts) => bounded(parts.join(""))).sort();
  return texts.flatMap((text) => accountInValidation(at, text) ?? []);
}

/**
 * Reads who may issue for a name: CAA at the name or the closest name above it that has any (RFC 8659, 3), and persistent
 * validations of the name and, for all names below, of those above it. Throws the DNS error of a query that failed.
 */
export async function readCaa(resolver: Resolver, name: string): Promise<CaaReading> {
  let at: string | null = null;
  let records: CaaRecord[] = [];
  for (const each of climb(name)) {
    records = await caaOf(resolver, each);
    if (records.length === 0) continue;
    at = each;
    break;
  }
  const domain = getDomain(name) ?? name;
  const accounts = at === null ? [] : accountsInCaa(at, records);
  for (const each of climb(name).filter((above) => above === domain || above.endsWith(`.${domain}`))) {
    const found = await validationsOf(resolver, each);
    accounts.push(...found.filter(({ wildcard }) => wildcard || each === name));
  }
  return { at, records, accounts };
}

/** Like `readCaa`, with a failure as part of the result, also if it takes longer than `deadlineMs`. Rejects only if `signal` aborts. */
export async function readCaaInTime(
  resolver: Resolver,
  name: string,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<CaaReading | { error: string }> {
  const stop = () => resolver.cancel();
  const timer = setTimeout(stop, deadlineMs);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await readCaa(resolver, name);
  } catch (error) {
    signal.throwIfAborted();
    return { error: dnsFailure(error) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}
