/** What Node.js and OpenSSL say of a connection that they refuse: https://nodejs.org/api/tls.html#x509-certificate-error-codes. */
const IS_TLS = /^(ERR_SSL|ERR_TLS|CERT_|CRL_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_|INVALID_|PATH_LENGTH)/;

const WORDS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "a certificate has expired",
  CERT_NOT_YET_VALID: "a certificate is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate does not cover the host",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the root is not trusted",
  UNABLE_TO_GET_ISSUER_CERT: "an issuer is missing or not trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "an issuer is missing or not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "an issuer is missing or not trusted",
  INVALID_PURPOSE: "a certificate is not for servers",
  INVALID_CA: "an issuer is not a CA",
  PATH_LENGTH_EXCEEDED: "the chain is longer than an issuer permits",
};

/** Why TLS failed, in words or as its code; null for an error of another kind. */
export function tlsFailure(code: string): string | null {
  return IS_TLS.test(code) ? (WORDS[code] ?? code) : null;
}
