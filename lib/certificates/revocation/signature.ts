import { constants, verify } from "node:crypto";
import { readSignatureAlgorithm } from "@/lib/certificates/x509/signature-algorithms";
import type { Certificate } from "@/lib/certificates/x509/x509";
import type { Der } from "@/lib/der";

/** The three parts of a signed structure, such as a CRL. */
interface Signed {
  tbs: Der;
  algorithm: Der;
  signature: Der;
}

/** Whether the key of `signer` made the signature. Never throws. */
export function isSigned({ tbs, algorithm, signature }: Signed, { x509 }: Certificate): boolean {
  try {
    const { name, digest } = readSignatureAlgorithm(algorithm);
    const padding = name.startsWith("RSASSA-PSS") && {
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_AUTO,
    };
    const key = { key: x509.publicKey, ...padding };
    return verify(digest?.replace("-", "") ?? null, tbs.raw, key, signature.content.subarray(1));
  } catch {
    return false;
  }
}
