/** What kept a certificate from being seen, and where on the way. */
export type FailureKind = "dns_failure" | "forbidden_address" | "unreachable" | "tls_handshake_failed";

export interface Failure {
  kind: FailureKind;
  /** A stable word: `timeout`, `connection_refused`, `connection_reset`, `not_tls`, `alert`, `name_not_found`, … */
  reason: string;
  /** The system's or the TLS library's own words, when it has any. */
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
  /** As OpenSSL names it: `TLSv1.3`. */
  protocol: string;
  cipher: string;
  /** DER in the order it was served; the leaf first. */
  chain: [Uint8Array, ...Uint8Array[]];
}

export interface Failed extends Common {
  outcome: "failed";
  failure: Failure;
}

/** What one probe saw: nothing but data, to be judged later or elsewhere. */
export type Observation = Served | Failed;
