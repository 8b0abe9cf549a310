import { type Finding, found, type Severity } from "@/lib/certificates/findings";
import type { KnownWindow } from "@/lib/certificates/issuance/renewal-window";
import { identify } from "@/lib/certificates/judge/path";
import { expiryWarning, lifetimeLeftShare } from "@/lib/certificates/lifetime";
import { DUE_SHARE, renewalDueAt, windowToRenew } from "@/lib/certificates/renewal-due";
import type { Certificate } from "@/lib/certificates/x509/x509";

/** The stored fields of the leaf that was served before this one. */
export interface Previous {
  sha256: string;
  /** In the format of `nameTexts`. */
  names: string[];
  /** Null for a certificate from before keys were compared. */
  publicKeySha256: string | null;
  /** When it was replaced, and the SHA-256 of the leaf that did. */
  until: Date;
  replacedBy: string;
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

/** Maximum number of characters of a stored name. PostgreSQL refuses index entries of more than about 2,700 bytes. */
const MAX_NAME_LENGTH = 1_000;

/**
 * Subject alternative names as stored and shown: DNS names in lower case; types other than DNS name and address have a prefix.
 * Very long names are cut, and end with an ellipsis.
 */
export function nameTexts({ sans }: Pick<Certificate, "sans">): string[] {
  return sans.map(({ type, value }) => {
    const text = type === "dns" ? value.toLowerCase() : type === "ip" ? value : `${type}:${value}`;
    return text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH)}…` : text;
  });
}

/** Findings about a changed certificate. A reused key stays a finding unless it is pinned (`isPinned`). */
export function judgeChange(leaf: Certificate, previous: Previous | null, isPinned: boolean, now: Date): Finding[] {
  // Another address may serve a leaf that replaced nothing.
  if (previous?.replacedBy !== leaf.sha256) return [];
  const change = { from: previous.sha256, to: leaf.sha256 };
  const isNews = now.getTime() - previous.until.getTime() < NEWS_MS;
  // Names of certificates from before they were stored in lower case may differ in that only.
  const names = new Set(nameTexts(leaf).map((name) => name.toLowerCase()));
  const removed = previous.names.filter((name) => !names.has(name.toLowerCase()));
  const findings: Finding[] = [];
  if (isNews) findings.push(found("certificate_changed", "info", change));
  if (isNews && removed.length > 0) findings.push(found("names_removed", "warning", { ...change, names: removed }));
  if (!isPinned && previous.publicKeySha256 === leaf.publicKeySha256)
    findings.push(found("key_reused", "info", { ...change, public_key_sha256: leaf.publicKeySha256 }));
  return findings;
}

/** Since when a renewal is overdue: the start of its authority's window once that is over, otherwise a third of the lifetime. */
function overdueSince(leaf: Certificate, known: KnownWindow | null, now: Date): Record<string, string | null> | null {
  const due_since = renewalDueAt(leaf, known).toISOString();
  const window = windowToRenew(leaf, known);
  if (known !== null && window !== null) {
    // A window that was moved forward has a separate finding.
    if (known.moved !== null || now <= window.end) return null;
    return { due_since, window_end: window.end.toISOString(), explanation_url: known.explanationUrl };
  }
  return lifetimeLeftShare(leaf, now) >= DUE_SHARE ? null : { due_since };
}

/** A newer certificate that is not deployed, or an overdue renewal. `undefined`: newer certificates were not queried. */
export function judgeRenewal(
  leaf: Certificate,
  newer: Newer | null | undefined,
  known: KnownWindow | null,
  now: Date,
): Finding | null {
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
  const since = leaf.notAfter < now || leaf.notBefore > now ? null : overdueSince(leaf, known, now);
  if (since === null) return null;
  return found("renewal_overdue", severity, { not_after: leaf.notAfter.toISOString(), ...since });
}
