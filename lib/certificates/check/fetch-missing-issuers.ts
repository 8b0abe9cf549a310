import { type Chain, examineChain } from "@/lib/certificates/judge/chain";
import type { Revocation } from "@/lib/certificates/judge/judge-revocation";
import type { Staple } from "@/lib/certificates/judge/judge-staple";
import type { Observations, Served } from "@/lib/certificates/probe/observation";
import { type Crl, parseCrl } from "@/lib/certificates/revocation/crl";
import { lookUpRevocation } from "@/lib/certificates/revocation/look-up";
import { readStaple } from "@/lib/certificates/revocation/ocsp";
import { PublishedFiles, RETRY_MS, Unpublished } from "@/lib/certificates/revocation/published-files";
import type { TrustStore } from "@/lib/certificates/trust-stores/trust-store";
import { type Certificate, parseCertificate, parsePem } from "@/lib/certificates/x509/x509";
import { readAll, readDer, readOid, TAG } from "@/lib/der";
import type { Guard } from "@/lib/network/guarded-lookup";

/** Data published by authorities that completes a served chain. */
interface MissingIssuers {
  /** Issuers that were known or fetched, but not served. */
  fetched: Certificate[];
  revocation: Revocation[];
  /** Of the observations that were asked for a staple. */
  staples: Staple[];
}

/** The caches of published files, one of each per process. */
export interface IssuerSources {
  crls: PublishedFiles<Crl>;
  issuers: PublishedFiles<Certificate[]>;
}

const HOUR_MS = 3_600_000;
const MIB = 2 ** 20;
/** CRLs are fetched again after this time even if still valid, because only newer ones list recent revocations. */
const CRL_FRESH_MS = 4 * HOUR_MS;
/** Maximum number of issuers to fetch for a chain, one after the other. */
const MAX_ISSUERS = 4;
const MAX_URLS = 2;
/** Milliseconds after which no further issuer is fetched, so that a check ends before its lease. */
const FETCH_TIMEOUT_MS = 10_000;
const SIGNED_DATA = "1.2.840.113549.1.7.2";

function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

/** The certificates of a bundle (`.p7c`, RFC 5652): `[0]` of SignedData, itself `[0]` of ContentInfo. */
function readBundle(der: Uint8Array): Certificate[] {
  const first = (content: Uint8Array) => readAll(content).find(({ tag }) => tag === TAG.CONTEXT + TAG.CONSTRUCTED);
  const wrapped = first(readDer(der).element.content);
  const certificates = wrapped && first(readDer(wrapped.content).element.content);
  return certificates === undefined ? [] : readAll(certificates.content).map(({ raw }) => parseCertificate(raw));
}

/** Parses the file at an issuer's URL: a certificate in DER, nonstandard PEM, or a bundle. Throws. */
export function parseIssuers(body: Buffer): Certificate[] {
  if (body.includes("-----BEGIN CERTIFICATE-----")) return parsePem(body.toString("latin1"));
  const [type] = readAll(readDer(body).element.content);
  const isBundle = type?.tag === TAG.OID && readOid(type.content) === SIGNED_DATA;
  return isBundle ? readBundle(body) : [parseCertificate(body)];
}

/** Empty caches that fetch files under `guard`. */
export function makeIssuerSources(guard: () => Guard): IssuerSources {
  return {
    crls: new PublishedFiles(
      {
        parse: parseCrl,
        maxBytes: 16 * MIB,
        maxKeptBytes: 48 * MIB,
        staleAt: ({ nextUpdate }, at) =>
          new Date(
            Math.max(at.getTime() + RETRY_MS, Math.min(nextUpdate?.getTime() ?? 0, at.getTime() + CRL_FRESH_MS)),
          ),
        goodUntil: ({ nextUpdate }, at) => nextUpdate ?? at,
      },
      guard,
    ),
    issuers: new PublishedFiles(
      {
        parse: parseIssuers,
        maxBytes: MIB / 4,
        maxKeptBytes: 8 * MIB,
        staleAt: (_, at) => later(at, 24 * HOUR_MS),
        goodUntil: (_, at) => later(at, 30 * 24 * HOUR_MS),
      },
      guard,
    ),
  };
}

/** Certificates that may be issuers of `subject` and are at hand, such as those of the organization. */
export type KnownIssuers = (subject: Certificate) => Promise<readonly Certificate[]>;

/** The certificates at an issuer's URLs that are not in `known`; empty if nothing can be fetched. */
async function fetchIssuers(
  { issuerUrls }: Certificate,
  { issuers }: IssuerSources,
  known: readonly Certificate[],
  now: Date,
): Promise<Certificate[]> {
  const fingerprints = new Set(known.map(({ sha256 }) => sha256));
  for (const url of issuerUrls.filter((url) => /^https?:/i.test(url)).slice(0, MAX_URLS)) {
    const found = issuers.peek(url, now) ?? (await issuers.get(url, now));
    if (found instanceof Unpublished) continue;
    const added = found.filter(({ sha256 }) => !fingerprints.has(sha256));
    if (added.length > 0) return added;
  }
  return [];
}

/**
 * The chain extended by the missing issuers that are known or can be fetched, and these issuers. Expired issuers at hand are
 * left to the authority, which may have renewed them. Roots at hand that are not trusted come last: the authority may publish
 * a certificate for the same key that leads to a trusted root.
 */
async function mend({ chain }: Served, trust: TrustStore, sources: IssuerSources, known: KnownIssuers, now: Date) {
  let added: Certificate[] = [];
  const useless: Certificate[] = [];
  const untrustedRoots: Certificate[] = [];
  let mended: Chain = examineChain(chain, trust, now);
  const giveUp = performance.now() + FETCH_TIMEOUT_MS;
  const extend = (more: readonly Certificate[]) => {
    const extended = examineChain([...chain, ...added, ...more], trust, now);
    const isLonger = extended.end !== mended.end || extended.path.length > mended.path.length;
    if (isLonger) [added, mended] = [[...added, ...more], extended];
    return isLonger;
  };
  const isUntrustedRoot = (issuer: Certificate) => examineChain([issuer], trust, now).end === "self_signed";
  for (let n = 0; n < MAX_ISSUERS && mended.end === "issuer_missing" && performance.now() < giveUp; n++) {
    const last = mended.path.at(-1);
    if (last === undefined) break;
    const atHand = (await known(last)).filter(({ notBefore, notAfter }) => notBefore <= now && now <= notAfter);
    untrustedRoots.push(...atHand.filter(isUntrustedRoot));
    if (extend(atHand.filter((issuer) => !untrustedRoots.includes(issuer)))) continue;
    const fetched = await fetchIssuers(last, sources, [...chain, ...added, ...useless], now);
    if (fetched.length === 0) break;
    if (!extend(fetched)) useless.push(...fetched);
  }
  if (mended.end === "issuer_missing") extend(untrustedRoots);
  return { fetched: added.filter((certificate) => mended.path.includes(certificate)), mended };
}

/**
 * Finds missing issuers of the observed chains, among those `known` before those published, and the revocation status. Rejects
 * only if `known` does.
 */
export async function fetchMissingIssuers(
  observations: Observations,
  trust: TrustStore,
  sources: IssuerSources,
  known: KnownIssuers = async () => [],
): Promise<MissingIssuers> {
  const fetched = new Set<Certificate>();
  const revocation = new Map<Certificate, Revocation>();
  const staples: Staple[] = [];
  const chains = new Map<Certificate, Chain>();
  for (const observation of observations) {
    if (observation.outcome === "failed") continue;
    const { observedAt: now, chain, staple } = observation;
    let whole = chains.get(chain[0]);
    if (whole === undefined) {
      const { fetched: issuers, mended } = await mend(observation, trust, sources, known, now);
      chains.set(chain[0], mended);
      whole = mended;
      for (const issuer of issuers) fetched.add(issuer);
      for (const each of await lookUpRevocation(mended, sources.crls, now)) revocation.set(each.certificate, each);
    }
    if (staple !== undefined) staples.push({ chain, verdict: readStaple(staple, chain[0], whole.path[1], now) });
  }
  return { fetched: [...fetched], revocation: [...revocation.values()], staples };
}
