import { withoutSlash } from "@/lib/auth/issuer";
import type { Config } from "@/lib/config";

/** A signed-in person as the session has them. */
interface Candidate {
  /** The present address. */
  email: string;
  /** The address that the issuer called verified when this session began; null if it did not. */
  verifiedEmail: string | null;
  issuer: string;
}

/** Whether a person operates the installation: OPERATORS names their address, and the configured issuer itself verified it. */
export function isOperator(
  { email, verifiedEmail, issuer }: Candidate,
  { OPERATORS, OIDC_ISSUER }: Pick<Config, "OPERATORS" | "OIDC_ISSUER">,
): boolean {
  if (OIDC_ISSUER === undefined || withoutSlash(issuer) !== withoutSlash(OIDC_ISSUER)) return false;
  return verifiedEmail !== null && verifiedEmail === email && OPERATORS.includes(email);
}
