import { randomBytes } from "node:crypto";
import { dnsFailure, newResolver } from "@/lib/network/name-servers";

/** What a domain's TXT record must say. */
export function newChallenge(): string {
  return `sealwatch-verification=${randomBytes(20).toString("hex")}`;
}

/** Where a domain's TXT record belongs. */
export function challengeName(domain: string): string {
  return `_sealwatch-challenge.${domain}`;
}

/** Looks for the TXT record now. Null when it is there, else what is wrong in a sentence without an end. */
export async function findFault(domain: string, challenge: string): Promise<string | null> {
  try {
    const records = await newResolver().resolveTxt(challengeName(domain));
    // One record may come in several strings (RFC 7208, 3.3).
    const values = records.map((strings) => strings.join("").trim());
    if (values.includes(challenge)) return null;
    const [first = ""] = values;
    const seen = first.length > 100 ? `${first.slice(0, 100)}…` : first;
    return `the TXT record says something else: “${seen}”${values.length > 1 ? `, and ${values.length - 1} more` : ""}`;
  } catch (error) {
    return `no TXT record was found: ${dnsFailure(error)}`;
  }
}
