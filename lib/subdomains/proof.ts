import { randomBytes } from "node:crypto";
import { storable } from "@/lib/audit-logs/storable";
import { dnsFailure, newResolver } from "@/lib/network/name-servers";

/** A new value for a domain's TXT record. */
export function newChallenge(): string {
  return `sealwatch-verification=${randomBytes(20).toString("hex")}`;
}

/** The name of a domain's TXT record. */
export function challengeName(domain: string): string {
  return `_sealwatch-challenge.${domain}`;
}

/** Looks up the TXT record. Returns null if it is there, otherwise the reason as a sentence without a period. */
export async function findFault(domain: string, challenge: string): Promise<string | null> {
  try {
    const records = await newResolver().resolveTxt(challengeName(domain));
    // A record may consist of several strings (RFC 7208, 3.3).
    const values = records.map((strings) => strings.join("").trim());
    if (values.includes(challenge)) return null;
    const first = storable(values[0] ?? "");
    const seen = first.length > 100 ? `${first.slice(0, 100)}…` : first;
    return `the TXT record has another value: “${seen}”${values.length > 1 ? `, and ${values.length - 1} more` : ""}`;
  } catch (error) {
    return `no TXT record was found: ${dnsFailure(error)}`;
  }
}
