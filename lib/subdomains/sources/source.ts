import type { Guard } from "@/lib/network/guarded-lookup";

/** A name that a source tells of. */
export interface FoundName {
  name: string;
  /** The latest end of the certificates it is in; null where the source knows none. */
  notAfter: Date | null;
  /** What it resolves to, none where it does not; null where the source did not ask. */
  addresses: string[] | null;
}

export interface FoundIssuance {
  /** Those of the domain. */
  names: string[];
  issuer: string;
  notBefore: Date;
  notAfter: Date;
  revoked: boolean | null;
}

/** A part of what a source has, written as it comes. */
export interface Found {
  names: FoundName[];
  issuances: FoundIssuance[];
  /** Where to go on if this was the last that was heard. */
  place: string | null;
}

/** What a source is asked. */
export interface Asked {
  domain: string;
  /** Where its last run ended. */
  place: string | null;
  /** Names of the domain that are known already, wildcards left out. */
  known: readonly string[];
  guard: Guard;
  signal: AbortSignal;
}

/** One way of finding names. Throws SourceFailed; what was told before stays. */
export type Source = (asked: Asked) => AsyncGenerator<Found, void, undefined>;

/** Why a source could not tell, in a sentence without an end. */
export class SourceFailed extends Error {
  override readonly name = "SourceFailed";

  constructor(
    message: string,
    /** What it asks to be left alone for. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}
