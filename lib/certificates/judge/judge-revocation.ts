import { type Finding, found } from "@/lib/certificates/findings";
import type { Chain } from "@/lib/certificates/judge/chain";
import { identify } from "@/lib/certificates/judge/path";
import type { Certificate } from "@/lib/certificates/x509/x509";

/** Why the revocation status of a certificate is unknown. */
export type UnknownReason =
  | "ocsp_only"
  | "issuer_unknown"
  | "unsupported_url"
  | "forbidden_address"
  | "fetch_failed"
  | "too_large"
  | "malformed"
  | "other_issuer"
  | "issuer_must_not_sign"
  | "unknown_critical_extension"
  | "bad_signature"
  | "outdated"
  | "indirect"
  | "delta"
  | "partial";

/** The revocation status of a certificate according to its issuer's CRL, or without a URL to a stapled response. */
export type Revocation = { certificate: Certificate; url: string | null } & (
  | { state: "good" }
  | { state: "revoked"; revokedAt: Date; reason: string | null }
  | { state: "unknown"; why: UnknownReason; detail: string | null }
);

/**
 * The evidence of an earlier check that a certificate in the path is revoked; null if its status is good since. A stapled response clears
 * only what one revoked, because a server may still send one from before the revocation.
 */
function stillRevoked(
  { path }: Chain,
  revocation: readonly Revocation[],
  { seen_at: _seenAt, other_certificate: _other, ...evidence }: Finding["evidence"],
): Finding["evidence"] | null {
  const isGood = revocation.some(
    ({ state, url, certificate: { sha256 } }) =>
      state === "good" && sha256 === evidence.sha256 && (url !== null || evidence.source === "ocsp_staple"),
  );
  return !isGood && path.some(({ sha256 }) => sha256 === evidence.sha256) ? evidence : null;
}

/**
 * A revoked certificate anywhere in the path revokes the leaf. Reports an unknown status only if nothing is revoked. `before` is the
 * evidence of the open finding that one is revoked, which stays while nothing new is known about that certificate.
 */
export function judgeRevocation(
  chain: Chain,
  revocation: readonly Revocation[],
  before: Finding["evidence"] | null,
): Finding[] {
  const about = revocation.filter(({ certificate }) => chain.path.includes(certificate));
  const revoked = about.find((each) => each.state === "revoked");
  if (revoked?.state === "revoked") {
    return [
      found("revoked", "critical", {
        ...identify(revoked.certificate),
        serial_number: revoked.certificate.serial,
        revoked_at: revoked.revokedAt.toISOString(),
        reason: revoked.reason,
        crl_url: revoked.url,
        ...(revoked.url === null && { source: "ocsp_staple" }),
      }),
    ];
  }
  const still = before && stillRevoked(chain, about, before);
  if (still !== null) return [found("revoked", "critical", still)];
  const good = about.filter(({ state }) => state === "good").map(({ certificate }) => certificate);
  const unknown = about.find(({ state, certificate }) => state === "unknown" && !good.includes(certificate));
  if (unknown?.state !== "unknown") return [];
  const { certificate, url, why, detail } = unknown;
  return [found("revocation_unknown", "info", { ...identify(certificate), reason: why, detail, crl_url: url })];
}
