import { type Chain, examineChain } from "@/lib/certificates/judge/chain";
import type { Revocation } from "@/lib/certificates/judge/judge-revocation";
import type { Staple } from "@/lib/certificates/judge/judge-staple";
import { withDeadline } from "@/lib/certificates/probe/dial";
import type { Observations, Served } from "@/lib/certificates/probe/observation";
import { type Crl, parseCrl } from "@/lib/certificates/revocation/crl";
import { lookUpRevocation } from "@/lib/certificates/revocation/look-up";
import { readStaple } from "@/lib/certificates/revocation/ocsp";
import { PublishedFiles, RETRY_MS, Unpublished, type Waiter } from "@/lib/certificates/revocation/published-files";
import type { TrustStore } from "@/lib/certificates/trust-stores/trust-store";
import { type Certificate, derBlocks, memoryOf, parseCertificate } from "@/lib/certificates/x509/x509";
import { readAll, readDer, readOid, TAG } from "@/lib/der";
import type { Guard } from "@/lib/network/guarded-lookup";
import { HOUR_MS } from "@/lib/time/units";

/** Data published by authorities that completes a served chain. */
export interface MissingIssuers {
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

const MIB = 2 ** 20;
/** CRLs are fetched again after this time even if still valid, because only newer ones list recent revocations. */
const CRL_FRESH_MS = 4 * HOUR_MS;
/** Maximum number of issuers to fetch for a chain, one after the other. */
const MAX_ISSUERS = 4;
const MAX_URLS = 2;
/** Maximum number of certificates of a file to try, each against all others. */
const MAX_OF_FILE = 20;
/** Milliseconds for all files of a check, so that it ends before its lease. */
const DEADLINE_MS = 15_000;
const SIGNED_DATA = "1.2.840.113549.1.7.2";

function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

/** The certificates of a bundle (`.p7c`, RFC 5652) in DER: `[0]` of SignedData, itself `[0]` of ContentInfo. */
function readBundle(der: Uint8Array): Uint8Array[] {
  const first = (content: Uint8Array) => readAll(content).find(({ tag }) => tag === TAG.CONTEXT + TAG.CONSTRUCTED);
  const wrapped = first(readDer(der).element.content);
  const certificates = wrapped && first(readDer(wrapped.content).element.content);
  return certificates === undefined ? [] : readAll(certificates.content).map(({ raw }) => raw);
}

/** The certificates in the file at an issuer's URL in DER: one certificate, nonstandard PEM, or a bundle. Throws. */
function readFile(body: Buffer): Uint8Array[] {
  if (body.includes("-----BEGIN CERTIFICATE-----")) return derBlocks(body.toString("latin1"));
  const [type] = readAll(readDer(body).element.content);
  const isBundle = type?.tag === TAG.OID && readOid(type.content) === SIGNED_DATA;
  return isBundle ? readBundle(body) : [body];
}

/** Parses the first certificates in the file at an issuer's URL. Throws. */
export function parseIssuers(body: Buffer): Certificate[] {
  return readFile(body).slice(0, MAX_OF_FILE).map(parseCertificate);
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
        memoryOf: (issuers) => issuers.reduce((sum, issuer) => sum + memoryOf(issuer), 0),
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
type KnownIssuers = (subject: Certificate) => Promise<readonly Certificate[]>;

/** The context of a check: whose it is, how to cancel it, and how many milliseconds its files may take (default: 15 s). */
interface Context {
  organizationId?: string;
  signal?: AbortSignal | undefined;
  deadlineMs?: number;
}

/** The certificates at an issuer's URLs that are not in `known`; empty if nothing can be fetched. */
async function fetchIssuers(
  { issuerUrls }: Certificate,
  { issuers }: IssuerSources,
  known: readonly Certificate[],
  now: Date,
  waiter: Waiter,
): Promise<Certificate[]> {
  const fingerprints = new Set(known.map(({ sha256 }) => sha256));
  for (const url of issuerUrls.filter((url) => /^https?:/i.test(url)).slice(0, MAX_URLS)) {
    const found = await issuers.get(url, now, waiter);
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
async function mend(
  { chain, observedAt: now }: Served,
  trust: TrustStore,
  sources: IssuerSources,
  known: KnownIssuers,
  waiter: Waiter,
) {
  let added: Certificate[] = [];
  const useless: Certificate[] = [];
  const untrustedRoots: Certificate[] = [];
  let mended: Chain = examineChain(chain, trust, now);
  const extend = (more: readonly Certificate[]) => {
    const extended = examineChain([...chain, ...added, ...more], trust, now);
    const isLonger = extended.end !== mended.end || extended.path.length > mended.path.length;
    if (isLonger) [added, mended] = [[...added, ...more], extended];
    return isLonger;
  };
  const isUntrustedRoot = (issuer: Certificate) => examineChain([issuer], trust, now).end === "self_signed";
  for (let n = 0; n < MAX_ISSUERS && mended.end === "issuer_missing" && !waiter.signal.aborted; n++) {
    const last = mended.path.at(-1);
    if (last === undefined) break;
    const atHand = (await known(last)).filter(({ notBefore, notAfter }) => notBefore <= now && now <= notAfter);
    untrustedRoots.push(...atHand.filter(isUntrustedRoot));
    if (extend(atHand.filter((issuer) => !untrustedRoots.includes(issuer)))) continue;
    const fetched = await fetchIssuers(last, sources, [...chain, ...added, ...useless], now, waiter);
    if (fetched.length === 0) break;
    if (!extend(fetched)) useless.push(...fetched);
  }
  if (mended.end === "issuer_missing") extend(untrustedRoots);
  return { fetched: added.filter((certificate) => mended.path.includes(certificate)), mended };
}

/** Certificates `known`, and before them those that other addresses serve. */
function withServed(served: readonly Served[], known: KnownIssuers): KnownIssuers {
  const issuers = [...new Set(served.flatMap(({ chain }) => chain.slice(1)))];
  return async (certificate) => [
    ...issuers.filter(({ subject }) => subject === certificate.issuer),
    ...(await known(certificate)),
  ];
}

/**
 * Finds missing issuers of the observed chains, among those `known` before those published, and the revocation status. What cannot be
 * fetched by the deadline is unknown. Rejects if `known` does or `signal` aborts.
 */
export async function fetchMissingIssuers(
  observations: Observations,
  trust: TrustStore,
  sources: IssuerSources,
  known: KnownIssuers = async () => [],
  { organizationId = "", signal, deadlineMs = DEADLINE_MS }: Context = {},
): Promise<MissingIssuers> {
  const served = observations.filter((observation) => observation.outcome === "served");
  const atHand = withServed(served, known);
  const completed = await withDeadline(deadlineMs, signal, (signal) => {
    const complete = async (observation: Served) => {
      const waiter = { organizationId, signal };
      const { fetched, mended } = await mend(observation, trust, sources, atHand, waiter);
      return {
        fetched,
        mended,
        revocation: await lookUpRevocation(mended, sources.crls, observation.observedAt, waiter),
      };
    };
    // Addresses may serve the same leaf with different issuers.
    const byChain = new Map<string, ReturnType<typeof complete>>();
    return Promise.all(
      served.map((observation) => {
        const key = observation.chain.map(({ sha256 }) => sha256).join(" ");
        const chain = byChain.get(key) ?? complete(observation);
        byChain.set(key, chain);
        return chain;
      }),
    );
  });
  signal?.throwIfAborted();
  return {
    fetched: [...new Set(completed.flatMap(({ fetched }) => fetched))],
    revocation: [...new Set(completed.flatMap(({ revocation }) => revocation))],
    staples: served.flatMap(({ chain, staple, observedAt }, at) => {
      if (staple === undefined) return [];
      return [{ chain, verdict: readStaple(staple, chain[0], completed[at]?.mended.path[1], observedAt) }];
    }),
  };
}
