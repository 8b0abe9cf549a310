import type { KeyObject } from "node:crypto";
import { distrustOf } from "@/lib/certificates/judge/judge-distrust";
import { judgeRules } from "@/lib/certificates/judge/judge-rules";
import { judgeStrength } from "@/lib/certificates/judge/judge-strength";
import { judgeUsage } from "@/lib/certificates/judge/judge-usage";
import type { Path } from "@/lib/certificates/judge/path";
import type { TrustStore } from "@/lib/certificates/trust-stores/trust-store";
import type { Certificate } from "@/lib/certificates/x509/x509";

export interface Chain extends Path {
  /** Served, but neither a direct nor an indirect issuer of the leaf. */
  unrelated: Certificate[];
  /** Served more than once. */
  repeated: Certificate[];
  /** Whether a certificate is served before a certificate that it issued. */
  misordered: boolean;
}

/** Limits the work on a chain crafted to have very many paths. */
const MAX_STEPS = 200;

const publicKeys = new WeakMap<Certificate, KeyObject | null>();
/** By issuer, then subject: signatures never change. */
const signatures = new WeakMap<Certificate, WeakMap<Certificate, boolean>>();

function publicKeyOf(certificate: Certificate): KeyObject | null {
  let key = publicKeys.get(certificate);
  if (key === undefined) {
    try {
      key = certificate.x509.publicKey;
    } catch {
      key = null;
    }
    publicKeys.set(certificate, key);
  }
  return key;
}

/** Names, key identifiers and key usage, which a faulty certificate is not held to: its fault is a finding of its own. */
function names(issuer: Certificate, subject: Certificate): boolean {
  if (subject.x509.checkIssued(issuer.x509)) return true;
  const isFaulty = [issuer, subject].some(({ defects }) => defects.length > 0);
  const maySign = issuer.usage.keyUsages?.includes("key_cert_sign") ?? true;
  return (isFaulty || !maySign) && subject.issuer === issuer.subject;
}

/** Checks names (of self-signed certificates nothing else) and the signature. */
function verify(issuer: Certificate, subject: Certificate): boolean {
  const isSelf = issuer.sha256 === subject.sha256;
  if (isSelf ? subject.subject !== subject.issuer : !names(issuer, subject)) return false;
  try {
    const key = publicKeyOf(issuer);
    return key !== null && subject.x509.verify(key);
  } catch {
    return false;
  }
}

/** Whether `issuer` signed `subject`. */
function signed(issuer: Certificate, subject: Certificate): boolean {
  const known = signatures.get(issuer) ?? new WeakMap<Certificate, boolean>();
  signatures.set(issuer, known);
  const verdict = known.get(subject) ?? verify(issuer, subject);
  known.set(subject, verdict);
  return verdict;
}

function isValid({ notBefore, notAfter }: Certificate, now: Date): boolean {
  return notBefore <= now && now <= notAfter;
}

/** All paths from the leaf, starting with those that reach an anchor soonest. */
function* pathsFrom(
  path: Certificate[],
  issuersOf: (certificate: Certificate) => Certificate[],
  trust: TrustStore,
): Generator<Path> {
  const current = path.at(-1);
  if (current === undefined) return;
  if (trust.has(current)) return yield { path, end: "trusted" };
  for (const anchor of trust.candidates(current)) {
    if (signed(anchor, current)) yield { path: [...path, anchor], end: "trusted" };
  }
  const issuers = issuersOf(current);
  if (issuers.includes(current)) return yield { path, end: "self_signed" };
  const next = issuers.filter((issuer) => !path.includes(issuer));
  for (const issuer of next) yield* pathsFrom([...path, issuer], issuersOf, trust);
  if (next.length === 0) yield { path, end: "issuer_missing" };
}

/** Whether a client that accepts the anchor finds nothing else to reject, leaving time aside. */
function isSound(path: Path, trust: TrustStore): boolean {
  if (distrustOf(path, trust) !== null) return false;
  return [...judgeStrength(path), ...judgeUsage(path), ...judgeRules(path)].every(
    ({ severity }) => severity !== "critical",
  );
}

/**
 * Like clients, prefers paths to an anchor, then valid paths, then paths without faults, then short paths. Of incomplete paths,
 * prefers the longest.
 */
function preference(path: Path, trust: TrustStore, now: Date): number {
  const { length } = path.path;
  const valid = path.path.every((certificate) => isValid(certificate, now)) ? 2000 : 0;
  if (path.end === "trusted") return 10_000 + valid + (isSound(path, trust) ? 1000 : 0) - length;
  return valid + (path.end === "self_signed" ? 1000 : 0) + length;
}

/** Builds the best path from the served certificates for a client with this trust store at this time; `served[0]` is the leaf. */
export function examineChain(served: readonly [Certificate, ...Certificate[]], trust: TrustStore, now: Date): Chain {
  const distinct = [...new Map(served.map((certificate) => [certificate.sha256, certificate])).values()];
  const known = new Map<Certificate, Certificate[]>();
  const issuersOf = (subject: Certificate) => {
    // Includes certificates that are not a CA, so that `issuer_not_ca` can name the cause.
    const issuers = known.get(subject) ?? distinct.filter((issuer) => signed(issuer, subject));
    known.set(subject, issuers);
    return issuers;
  };
  const [leaf = served[0]] = distinct;

  let best: Path = { path: [leaf], end: "issuer_missing" };
  let steps = 0;
  for (const path of pathsFrom([leaf], issuersOf, trust)) {
    if (preference(path, trust, now) > preference(best, trust, now)) best = path;
    if (++steps === MAX_STEPS) break;
  }

  const related = new Set([leaf]);
  for (const certificate of related) for (const issuer of issuersOf(certificate)) related.add(issuer);
  const inOrder = distinct.filter((certificate) => related.has(certificate));
  return {
    ...best,
    unrelated: distinct.filter((certificate) => !related.has(certificate)),
    repeated: distinct.filter(({ sha256 }) => served.filter((other) => other.sha256 === sha256).length > 1),
    misordered: inOrder.some(
      (certificate, at) => at > 0 && !inOrder.slice(0, at).some((before) => issuersOf(before).includes(certificate)),
    ),
  };
}

/** The chain that should be served, from the known certificates: leaf first, without the anchor; empty if no path is known. */
export function expectedChain(
  known: readonly [Certificate, ...Certificate[]],
  trust: TrustStore,
  now: Date,
): Certificate[] {
  const { path, end } = examineChain(known, trust, now);
  return end === "trusted" ? (path.length === 1 ? path : path.slice(0, -1)) : [];
}
