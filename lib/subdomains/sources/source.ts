import type { Guard } from "@/lib/network/guarded-lookup";

/** A name that a source found. */
export interface FoundName {
  name: string;
  /** The latest expiry of the certificates with it; null if the source knows none. */
  notAfter: Date | null;
  /** Its addresses, empty if it does not resolve; null if the source did not resolve it. */
  addresses: string[] | null;
}

export interface FoundIssuance {
  /** The names that belong to the domain. */
  names: string[];
  issuer: string;
  notBefore: Date;
  notAfter: Date;
  revoked: boolean | null;
  /** SHA-256 of the public key (SPKI) in hexadecimal; null if the source does not name it. */
  publicKeySha256: string | null;
}

/** A part of a source's results, recorded as it arrives. */
export interface Found {
  names: FoundName[];
  /** Known names that the source asked for without an answer. */
  unanswered?: string[];
  issuances: FoundIssuance[];
  /** Where to continue if this is the last part. */
  place: string | null;
}

/** The input of a source. */
export interface SourceQuery {
  domain: string;
  /** Where its last run ended. */
  place: string | null;
  /** Known names of the domain, without wildcards. */
  known: readonly string[];
  guard: Guard;
  signal: AbortSignal;
}

/** A way of finding names. Throws SourceFailed; earlier results stay valid. */
export type Source = (query: SourceQuery) => AsyncGenerator<Found, void, undefined>;

/** Why a source failed, as a sentence without a period. */
export class SourceFailed extends Error {
  override readonly name = "SourceFailed";

  constructor(
    message: string,
    /** The pause that the source requests. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}
