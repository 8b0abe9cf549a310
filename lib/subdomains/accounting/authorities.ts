/** Why an issued certificate is known to be the organization's own. */
export const authorities = ["key", "certificate", "authorized_key", "issuer", "person"] as const;
export type Authority = (typeof authorities)[number];

export const authorityLabels: Readonly<Record<Authority, string>> = {
  key: "Key of a certificate of yours",
  certificate: "Certificate of yours",
  authorized_key: "Authorized key",
  issuer: "Authorized issuer",
  person: "Confirmed by a person",
};
