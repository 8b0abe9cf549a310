import type { AuditEvent, Seal } from "@/lib/audit-logs/contract";

/** Where an event is in the sealed log, with what proves it without its body; hashes and salts are base64. */
export interface SentSeal extends Seal {
  /** 16 bytes of each part that is shown. */
  salts: Readonly<Record<string, string>>;
  /** 32 bytes of each part that is not shown: always the body, and what was redacted. */
  hashes: Readonly<Record<string, string>>;
}

/** An event as lists give it, with its seal. Bodies are not sent. */
export type SentEvent = Omit<AuditEvent, "seal"> & { seal: SentSeal };

/** Why the entries of a range are not sent. */
export const omissions = ["filter", "expired", "missing"] as const;
export type Omission = (typeof omissions)[number];

/** Consecutive entries [first, end) that are not sent, so that a gap is never ambiguous. */
export interface OmittedRange {
  first: number;
  end: number;
  /** The destination's filter leaves them out; retention deleted them; they were sealed, but never stored. */
  reason: Omission;
  /** The compact range of their leaves (base64), which keeps the rest verifiable; null if it cannot be made any more. */
  hashes: readonly string[] | null;
}

/** What places a batch in a signed log: compact ranges in front of it and behind it (base64), and the signed note. */
export interface BatchProof {
  left: readonly string[];
  right: readonly string[];
  vkey: string;
  checkpoint: string;
}

/**
 * Consecutive entries [first, end) of one log and epoch. Each index is either that of one of `events` or in one of `omitted`; both are
 * in order. After a crash or a failure, entries are sent again, perhaps in other batches.
 */
export interface Batch {
  origin: string;
  epoch: number;
  first: number;
  end: number;
  events: readonly SentEvent[];
  omitted: readonly OmittedRange[];
  /** Null unless the kind needs it (`needsProof`). */
  proof: BatchProof | null;
}

/** The name of a batch for receivers that drop duplicates: `<origin>:<first>-<last>`. */
export function batchName({ origin, first, end }: Pick<Batch, "origin" | "first" | "end">): string {
  return `${origin}:${first}-${end - 1}`;
}
