import type { Chain } from "@/lib/certificates/judge/chain";
import type { Revocation, UnknownReason } from "@/lib/certificates/judge/judge-revocation";
import { lifetimeDays } from "@/lib/certificates/judge/policy";
import type { Crl } from "@/lib/certificates/revocation/crl";
import { type PublishedFiles, Unpublished, type Waiter } from "@/lib/certificates/revocation/published-files";
import type { Certificate } from "@/lib/certificates/x509/x509";

type Verdict =
  | { state: "good" }
  | { state: "revoked"; revokedAt: Date; reason: string | null }
  | { state: "unknown"; why: UnknownReason; detail: string | null };

/** Maximum number of lists to fetch per certificate. */
const MAX_URLS = 3;
/** Tolerated clock skew in milliseconds. */
const SKEW_MS = 5 * 60_000;
/** Certificates with at most this lifetime need not be revocable (CA/Browser Forum, Baseline Requirements 4.9.7). */
const SHORT_LIVED_DAYS = 7;

function unknown(why: UnknownReason, detail: string | null = null): Verdict {
  return { state: "unknown", why, detail };
}

/** A certificate's status in a list, which counts only if it is its issuer's, current, signed and covers the certificate. Throws a RangeError if it is malformed. */
export function judgeCrl(crl: Crl, certificate: Certificate, issuer: Certificate, now: Date): Verdict {
  if (crl.unknownCritical.length > 0) return unknown("unknown_critical_extension", crl.unknownCritical.join(", "));
  if (crl.scope !== "complete") return unknown(crl.scope);
  if (Buffer.compare(crl.issuerDer, certificate.issuerDer) !== 0) return unknown("other_issuer");
  if (crl.onlyFor !== null && (crl.onlyFor === "authorities") !== certificate.isCa) return unknown("partial");
  // Another part of a partitioned list may have the certificate.
  if (crl.pointUrls.length > 0 && !crl.pointUrls.some((url) => certificate.crlUrls.includes(url)))
    return unknown("partial");
  const { keyUsages } = issuer.usage;
  if (keyUsages !== null && !keyUsages.includes("crl_sign")) return unknown("issuer_must_not_sign");
  if (!crl.isSignedBy(issuer)) return unknown("bad_signature");
  const isEarly = crl.thisUpdate.getTime() - now.getTime() > SKEW_MS;
  if (crl.nextUpdate === null || crl.nextUpdate < now || isEarly)
    return unknown("outdated", crl.nextUpdate?.toISOString() ?? null);
  const entry = crl.find(certificate);
  return entry === null || entry.reason === "remove_from_crl" ? { state: "good" } : { state: "revoked", ...entry };
}

/** Like `judgeCrl`, but the verdict about a malformed list is `unknown`. */
function tryToJudge(...list: Parameters<typeof judgeCrl>): Verdict {
  try {
    return judgeCrl(...list);
  } catch (error) {
    return unknown("malformed", error instanceof Error ? error.message : null);
  }
}

async function lookUpOne(
  certificate: Certificate,
  issuer: Certificate | undefined,
  crls: PublishedFiles<Crl>,
  now: Date,
  waiter: Waiter,
): Promise<Revocation | null> {
  const { crlUrls, hasOcsp } = certificate;
  if (crlUrls.length === 0) {
    if (!hasOcsp || lifetimeDays(certificate) <= SHORT_LIVED_DAYS) return null;
    return { certificate, url: null, state: "unknown", why: "ocsp_only", detail: null };
  }
  const urls = crlUrls.filter((url) => /^https?:/i.test(url)).slice(0, MAX_URLS);
  let verdict = unknown(urls.length === 0 ? "unsupported_url" : "issuer_unknown");
  let last = crlUrls[0] ?? null;
  if (issuer === undefined) return { certificate, url: last, ...verdict };
  for (const url of urls) {
    last = url;
    const crl = await crls.get(url, now, waiter);
    verdict = crl instanceof Unpublished ? unknown(crl.why, crl.detail) : tryToJudge(crl, certificate, issuer, now);
    if (verdict.state !== "unknown") break;
  }
  return { certificate, url: last, ...verdict };
}

/** The revocation status of the certificates in a path, without the anchor. Skips certificates that name no list. */
export async function lookUpRevocation(
  { path, end }: Chain,
  crls: PublishedFiles<Crl>,
  now: Date,
  waiter: Waiter,
): Promise<Revocation[]> {
  const subjects = end === "issuer_missing" ? path : path.slice(0, -1);
  const all = await Promise.all(
    subjects.map((certificate, at) => lookUpOne(certificate, path[at + 1], crls, now, waiter)),
  );
  return all.filter((each) => each !== null);
}
