import type { ProvenEvent } from "@/lib/audit-logs/bundle/proven-event";
import type { RangeProof } from "@/lib/audit-logs/bundle/range-hashes";
import type { Omission } from "@/lib/audit-logs/bundle/read-entries";

/** An event as lists give it, with the salts and hashes that prove it. Bodies are not sent. */
export type SentEvent = ProvenEvent;

/** Consecutive entries [first, end) that are not sent, so that a gap is never ambiguous. */
export interface OmittedRange {
  first: number;
  end: number;
  /** The destination's filters leave them out; retention deleted them before they were sent; they were sealed, but never stored. */
  reason: Omission;
  /** The compact range of their leaves (base64), which keeps the rest verifiable; null if it cannot be made any more. */
  hashes: readonly string[] | null;
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
  proof: RangeProof | null;
}

/** The name of a batch for receivers that drop duplicates: `<origin>:<first>-<last>`. */
export function batchName({ origin, first, end }: Pick<Batch, "origin" | "first" | "end">): string {
  return `${origin}:${first}-${end - 1}`;
}
