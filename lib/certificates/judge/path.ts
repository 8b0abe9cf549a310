import type { Certificate } from "@/lib/certificates/x509/x509";

/** A sequence of certificates in which each is issued by the next. */
export interface Path {
  /** From the leaf upwards as far as signatures lead; ends with the anchor if `end` is `trusted`. */
  path: Certificate[];
  end: "trusted" | "self_signed" | "issuer_missing";
}

/** How evidence identifies a certificate. */
export function identify({ subject, sha256 }: Certificate) {
  return { subject, sha256 };
}

/** What evidence calls the place of a certificate in its path. */
export function role(certificate: Certificate, path: readonly Certificate[]): "server" | "issuer" {
  return certificate === path[0] ? "server" : "issuer";
}
