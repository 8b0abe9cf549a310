import type { Certificate } from "@/lib/certificates/x509/x509";

/** Why no certificate was seen, by phase. */
type FailureKind =
  | "dns_failure"
  | "forbidden_address"
  | "unreachable"
  | "starttls_unsupported"
  | "tls_handshake_failed";

export interface Failure {
  kind: FailureKind;
  /** A stable code: `timeout`, `connection_refused`, `connection_reset`, `not_tls`, `alert`, `name_not_found`, `not_offered`, … */
  reason: string;
  /** A message by the system, the TLS library or the peer, if any. */
  detail: string | null;
}

interface Common {
  observedAt: Date;
  /** All addresses that the name resolved to. */
  addresses: string[];
  /** The observed address; null if no connection was attempted. */
  address: string | null;
  /** Milliseconds; null for a phase that did not complete. */
  timings: { dnsMs: number | null; connectMs: number | null; tlsMs: number | null };
}

export interface Served extends Common {
  outcome: "served";
  /** In OpenSSL's notation: `TLSv1.3`; null if the certificate was reported. */
  protocol: string | null;
  cipher: string | null;
  /** In the order in which it was served; the leaf first. */
  chain: [Certificate, ...Certificate[]];
  /** The OCSP response that was sent with the certificate, in DER; null for none, undefined if the certificate was reported. */
  staple: Uint8Array | null | undefined;
}

export interface Failed extends Common {
  outcome: "failed";
  failure: Failure;
}

/** The observation of one address: pure data, to be judged later or elsewhere. */
export type Observation = Served | Failed;

/** The observations of one check: of one address, or of each address. */
export type Observations = readonly [Observation, ...Observation[]];
