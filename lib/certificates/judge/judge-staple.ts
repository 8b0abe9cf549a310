import { type Finding, found } from "@/lib/certificates/findings";
import type { Revocation } from "@/lib/certificates/judge/judge-revocation";
import { identify } from "@/lib/certificates/judge/path";
import type { Served } from "@/lib/certificates/probe/observation";
import type { Certificate } from "@/lib/certificates/x509/x509";

/** Why a stapled OCSP response says nothing about the certificate. */
type StapleProblem =
  | "malformed"
  | "responder_error"
  | "other_certificate"
  | "bad_signature"
  | "not_yet_valid"
  | "outdated"
  | "unknown_certificate";

/** The result of a stapled response. `unchecked`: its signature cannot be verified, because the issuer is unknown. */
export type StapleVerdict =
  | { state: "absent" | "unchecked" | "good" }
  | { state: "revoked"; revokedAt: Date; reason: string | null }
  | { state: "invalid"; why: StapleProblem; detail: string | null };

/** What was stapled to an observed chain, which is the same object as in the observation. */
export interface Staple {
  chain: Served["chain"];
  verdict: StapleVerdict;
}

/** The result of a stapled response, in the form of a CRL's result. */
export function stapledStatus(certificate: Certificate, verdict: StapleVerdict | undefined): Revocation[] {
  if (verdict?.state === "good") return [{ certificate, url: null, state: "good" }];
  return verdict?.state === "revoked" ? [{ certificate, url: null, ...verdict }] : [];
}

/** Firefox rejects a bad staple, and a missing one if the certificate requires it; other browsers ignore both. */
export function judgeStaple(leaf: Certificate, verdict: StapleVerdict | undefined): Finding | null {
  if (verdict?.state === "invalid") {
    const { why: reason, detail } = verdict;
    return found("ocsp_staple_invalid", "warning", {
      ...identify(leaf),
      reason,
      detail,
      must_staple: leaf.usage.mustStaple,
    });
  }
  if (verdict?.state !== "absent" || !leaf.usage.mustStaple) return null;
  return found("ocsp_staple_missing", "warning", { ...identify(leaf), ocsp_named: leaf.hasOcsp });
}
