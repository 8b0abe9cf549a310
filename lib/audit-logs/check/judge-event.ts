import { eventWords } from "@/lib/audit-logs/check/wrong";
import type { StoredEvent } from "@/lib/audit-logs/seal/commit-events";
import type { StoredRedaction } from "@/lib/audit-logs/seal/stored-redactions";
import { idTime } from "@/lib/ids";
import { MISSING } from "@/lib/sealed-log/leaf";

/** An entry of a sealed log. */
export interface Entry {
  index: number;
  id: string;
  nonce: Buffer;
  commitment: Buffer;
  /** What is left of the seal if parts were redacted. */
  redacted: StoredRedaction | undefined;
}

/** Compares an entry with its stored event. Returns a sentence about the fault, or null. Events up to `excused` (Unix ms) may have expired. */
export function judgeEvent(
  { index, id, commitment }: Entry,
  stored: readonly StoredEvent[],
  excused: number,
): string | null {
  const says = (what: string) => `Entry ${index}, ${eventWords(id)}, ${what}.`;
  const [event] = stored;
  const wasStored = Buffer.compare(commitment, MISSING) !== 0;
  if (event === undefined) {
    if (idTime(id) <= excused) return null;
    return says(wasStored ? "was deleted before its retention ended" : "was deleted before it was sealed");
  }
  if (stored.length > 1) return says("is stored twice");
  if (!wasStored) return says("was added after it had been sealed as missing");
  const isSame = event.occurredAt === idTime(id) && Buffer.compare(event.commitment, commitment) === 0;
  return isSame ? null : says("was changed after it was sealed");
}
