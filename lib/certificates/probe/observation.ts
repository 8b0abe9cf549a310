import type { Certificate } from "@/lib/certificates/x509/x509";

/** What kept a certificate from being seen, and where on the way. */
export type FailureKind =
  | "dns_failure"
  | "forbidden_address"
  | "unreachable"
  | "starttls_unsupported"
  | "tls_handshake_failed";

export interface Failure {
  kind: FailureKind;
  /** A stable word: `timeout`, `connection_refused`, `connection_reset`, `not_tls`, `alert`, `name_not_found`, `not_offered`, … */
  reason: string;
  /** The system's, the TLS library's or the peer's own words, when there are any. */
  detail: string | null;
}

interface Common {
  observedAt: Date;
  /** All that the name resolved to. */
  addresses: string[];
  /** The one the rest is about; null when none was reached for. */
  address: string | null;
  /** Milliseconds; null for a phase that was not completed. */
  timings: { dnsMs: number | null; connectMs: number | null; tlsMs: number | null };
}

export interface Served extends Common {
  outcome: "served";
  /** As OpenSSL names them: `TLSv1.3`; null where somebody reported what was served. */
  protocol: string | null;
  cipher: string | null;
  /** In the order it was served; the leaf first. */
  chain: [Certificate, ...Certificate[]];
}

export interface Failed extends Common {
  outcome: "failed";
  failure: Failure;
}

/** What one look at one address saw: nothing but data, to be judged later or elsewhere. */
export type Observation = Served | Failed;

/** What one check saw: one address, or each of them. */
export type Observations = readonly [Observation, ...Observation[]];
