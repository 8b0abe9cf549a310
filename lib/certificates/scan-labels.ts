import type { TlsVersion, WeakFamily } from "@/lib/certificates/scan-contract";

/** What people call each TLS version. */
export const tlsVersionLabels: Readonly<Record<TlsVersion, string>> = {
  "TLSv1.3": "TLS 1.3",
  "TLSv1.2": "TLS 1.2",
  "TLSv1.1": "TLS 1.1",
  TLSv1: "TLS 1.0",
  SSLv3: "SSL 3.0",
};

/** What people call each family of weak ciphers. */
export const weakFamilyLabels: Readonly<Record<WeakFamily, string>> = {
  anonymous: "without authentication",
  null: "without encryption",
  export: "for export (40 or 56 bits)",
  rc4: "RC4",
  triple_des: "3DES",
};
