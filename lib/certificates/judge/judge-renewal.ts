import { type Finding, found, type Severity } from "@/lib/certificates/findings";
import { identify } from "@/lib/certificates/judge/path";
import { expiryWarning, lifetimeLeftShare } from "@/lib/certificates/lifetime";
import type { Certificate } from "@/lib/certificates/x509/x509";

/** The stored fields of the leaf that was served before this one. */
export interface Previous {
  sha256: string;
  /** In the format of `nameTexts`. */
  names: string[];
  /** Null for a certificate from before keys were compared. */
  publicKeySha256: string | null;
  /** When it was replaced. */
  until: Date;
}

/** A known certificate of the organization that has all names of the served certificate and expires later. */
export interface Newer {
  id: string;
  sha256: string;
  notBefore: Date;
  notAfter: Date;
  firstSeenAt: Date;
}

/** How long a change is reported. */
const NEWS_MS = 24 * 3_600_000;
/** The remaining share of the lifetime below which a renewal is overdue. */
const OVERDUE = 1 / 3;

/** Subject alternative names as stored and shown: types other than DNS name and address have a prefix. */
export function nameTexts({ sans }: Certificate): string[] {
  return sans.map(({ type, value }) => (type === "dns" || type === "ip" ? value : `${type}:${value}`));
}

/** Findings about a changed certificate. A reused key stays a finding unless it is pinned (`isPinned`). */
export function judgeChange(leaf: Certificate, previous: Previous | null, isPinned: boolean, now: Date): Finding[] {
  if (previous === null || previous.sha256 === leaf.sha256) return [];
  const change = { from: previous.sha256, to: leaf.sha256 };
  const isNews = now.getTime() - previous.until.getTime() < NEWS_MS;
  const names = new Set(nameTexts(leaf));
  const removed = previous.names.filter((name) => !names.has(name));
  const findings: Finding[] = [];
  if (isNews) findings.push(found("certificate_changed", "info", change));
  if (isNews && removed.length > 0) findings.push(found("names_removed", "warning", { ...change, names: removed }));
  if (!isPinned && previous.publicKeySha256 === leaf.publicKeySha256)
    findings.push(found("key_reused", "info", { ...change, public_key_sha256: leaf.publicKeySha256 }));
  return findings;
}

/** A newer certificate that is not deployed, or an overdue renewal. `undefined`: newer certificates were not queried. */
export function judgeRenewal(leaf: Certificate, newer: Newer | null | undefined, now: Date): Finding | null {
  if (newer === undefined || leaf.isCa) return null;
  const severity: Severity = leaf.notAfter < now ? "critical" : (expiryWarning(leaf, now)?.severity ?? "info");
  if (newer !== null) {
    return found("renewed_not_deployed", severity, {
      served: { ...identify(leaf), not_after: leaf.notAfter.toISOString() },
      newer: {
        id: newer.id,
        sha256: newer.sha256,
        not_before: newer.notBefore.toISOString(),
        not_after: newer.notAfter.toISOString(),
        first_seen_at: newer.firstSeenAt.toISOString(),
      },
    });
  }
  // Once it has expired, `expired` suffices.
  if (leaf.notAfter < now || leaf.notBefore > now || lifetimeLeftShare(leaf, now) >= OVERDUE) return null;
  const lifetime = leaf.notAfter.getTime() - leaf.notBefore.getTime();
  return found("renewal_overdue", severity, {
    not_after: leaf.notAfter.toISOString(),
    due_since: new Date(leaf.notAfter.getTime() - lifetime * OVERDUE).toISOString(),
  });
}
