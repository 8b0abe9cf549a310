import { type Finding, found } from "@/lib/certificates/findings";
import { type Chain, examineChain } from "@/lib/certificates/judge/chain";
import { identify } from "@/lib/certificates/judge/path";
import { expiryWarning } from "@/lib/certificates/lifetime";
import type { TrustStore } from "@/lib/certificates/trust-stores/trust-store";
import type { Certificate } from "@/lib/certificates/x509/x509";
import { DAY_MS } from "@/lib/time/units";

type Check = Finding | null;
type Served = readonly [Certificate, ...Certificate[]];

/** Whether all certificates up to the anchor are valid now, and how long the leaf remains valid. */
export function judgeValidity({ path }: Chain, now: Date): Check {
  const expired = path.find(({ notAfter }) => notAfter < now);
  if (expired) {
    return found("expired", "critical", {
      ...identify(expired),
      ...(expired !== path[0] && { role: "issuer" }),
      not_after: expired.notAfter.toISOString(),
    });
  }
  const early = path.find(({ notBefore }) => notBefore > now);
  if (early)
    return found("not_yet_valid", "critical", { ...identify(early), not_before: early.notBefore.toISOString() });
  const [leaf] = path;
  const warning = leaf ? expiryWarning(leaf, now) : null;
  if (!leaf || !warning) return null;
  const lifetime = (leaf.notAfter.getTime() - leaf.notBefore.getTime()) / DAY_MS;
  return found("expires_soon", warning.severity, {
    not_before: leaf.notBefore.toISOString(),
    not_after: leaf.notAfter.toISOString(),
    lifetime_days: Math.round(lifetime * 100) / 100,
    threshold_days: Math.round(warning.days * 100) / 100,
  });
}

/**
 * A path without its last issuer means a served gap or a private root that is rightly omitted. The fetched issuers decide;
 * otherwise, whether the last certificate has an issuer URL. A lone leaf without one may be either, so both are reported.
 * `mended` is the chain with the fetched issuers.
 */
export function judgeTrust({ path, end }: Chain, mended: Chain): Finding[] {
  const [leaf] = path;
  const last = path.at(-1);
  if (end === "trusted" || !leaf || !last) return [];
  if (end === "self_signed") {
    const code = last === leaf ? "self_signed" : "untrusted_root";
    return [found(code, "critical", { ...identify(last), served: true })];
  }
  const gap = { missing_issuer: last.issuer, certificate: identify(last), issuer_urls: last.issuerUrls };
  const root = mended.end === "self_signed" ? mended.path.at(-1) : undefined;
  const untrusted = found("untrusted_root", "critical", {
    subject: root?.subject ?? mended.path.at(-1)?.issuer ?? last.issuer,
    sha256: root?.sha256 ?? null,
    served: false,
  });
  if (mended.path.length > path.length) {
    const anchors = mended.end === "issuer_missing" ? 0 : 1;
    const missing = mended.path
      .slice(0, mended.path.length - anchors)
      .filter((certificate) => !path.includes(certificate));
    return [
      ...(missing.length > 0
        ? [found("chain_incomplete", "critical", { ...gap, certain: true, missing: missing.map(identify) })]
        : []),
      ...(mended.end === "trusted" ? [] : [untrusted]),
    ];
  }
  if (last.issuerUrls.length > 0) return [found("chain_incomplete", "critical", { ...gap, certain: true })];
  return last === leaf ? [found("chain_incomplete", "info", { ...gap, certain: false }), untrusted] : [untrusted];
}

/** Certificates served out of order or needlessly. */
export function judgeServedSet({ unrelated, repeated, misordered, path }: Chain, served: Certificate[]): Check[] {
  const extra = [
    ...unrelated.map((certificate) => ({ ...identify(certificate), why: "unrelated" })),
    ...repeated.map((certificate) => ({ ...identify(certificate), why: "repeated" })),
  ];
  const expected = path.filter(({ sha256 }) => served.some((certificate) => certificate.sha256 === sha256));
  return [
    misordered
      ? found("chain_misordered", "warning", { served: served.map(identify), expected: expected.map(identify) })
      : null,
    extra.length > 0 ? found("chain_extra", "info", { certificates: extra }) : null,
  ];
}

/**
 * Whether clients reject what `anchor` certifies once it has expired. Only anchors of the organization are looked at: browsers replace
 * public ones in time, and most clients know other paths.
 */
function isLastAnchor(anchor: Certificate, served: Served, trust: TrustStore): boolean {
  if (trust.isPublic(anchor)) return false;
  const expired = new Date(anchor.notAfter.getTime() + 1);
  const { path, end } = examineChain(served, trust, expired);
  return end !== "trusted" || path.some(({ notAfter }) => notAfter < expired);
}

/** An issuer that expires before the leaf invalidates the leaf with it. */
export function judgeIssuers({ path, end }: Chain, served: Served, trust: TrustStore, now: Date): Check {
  const [leaf, ...issuers] = path;
  const root = end === "issuer_missing" ? undefined : issuers.at(-1);
  const first = issuers
    .filter((issuer) => issuer !== root || end === "trusted")
    .toSorted((a, b) => a.notAfter.getTime() - b.notAfter.getTime())
    .find((issuer) => issuer !== root || isLastAnchor(issuer, served, trust));
  if (!leaf || !first || first.notAfter >= leaf.notAfter || first.notAfter < now) return null;
  return found("intermediate_expires_first", expiryWarning(first, now)?.severity ?? "info", {
    ...identify(first),
    ...(first === root && { role: "root" }),
    not_after: first.notAfter.toISOString(),
    leaf_not_after: leaf.notAfter.toISOString(),
  });
}
