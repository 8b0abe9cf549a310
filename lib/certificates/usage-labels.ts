/** In the order of the bits (RFC 5280, 4.2.1.3). */
export const keyUsages = [
  "digital_signature",
  "content_commitment",
  "key_encipherment",
  "data_encipherment",
  "key_agreement",
  "key_cert_sign",
  "crl_sign",
  "encipher_only",
  "decipher_only",
] as const;
export type KeyUsage = (typeof keyUsages)[number];

/** What people call key usages. */
export const keyUsageLabels: Readonly<Record<KeyUsage, string>> = {
  digital_signature: "Digital signature",
  content_commitment: "Content commitment",
  key_encipherment: "Key encipherment",
  data_encipherment: "Data encipherment",
  key_agreement: "Key agreement",
  key_cert_sign: "Certificate signing",
  crl_sign: "CRL signing",
  encipher_only: "Encipher only",
  decipher_only: "Decipher only",
};

/** What people call extended key usages; others are shown as dotted OIDs. */
export const extendedKeyUsageLabels: Readonly<Record<string, string>> = {
  any: "Any",
  server_auth: "Server authentication",
  client_auth: "Client authentication",
  code_signing: "Code signing",
  email_protection: "E-mail protection",
  time_stamping: "Time stamping",
  ocsp_signing: "OCSP signing",
  microsoft_sgc: "Microsoft server-gated cryptography",
  netscape_sgc: "Netscape server-gated cryptography",
};

/** What people call certificate policies; others are shown as dotted OIDs. */
export const policyLabels: Readonly<Record<string, string>> = {
  any: "Any policy",
  domain_validated: "Domain validated",
  organization_validated: "Organization validated",
  individual_validated: "Individual validated",
  extended_validation: "Extended validation",
};
