import { type ShownRow, toAuditEvent } from "@/lib/audit-logs/audit-event";
import type { AuditEvent, Seal } from "@/lib/audit-logs/contract";
import type { StoredRedaction } from "@/lib/audit-logs/seal/stored-redactions";
import { encodeBase64 } from "@/lib/sealed-log/base64";
import { type PerPart, partHash, saltsOf } from "@/lib/sealed-log/leaf";

/** Where an event is in the sealed log, with what proves it without its body; hashes and salts are base64. */
interface ProvenSeal extends Seal {
  commitment: string;
  /** 16 bytes of each part that is shown. */
  salts: Readonly<Record<string, string>>;
  /** 32 bytes of each part that is not shown: always the body, and what was redacted. */
  hashes: Readonly<Record<string, string>>;
}

/** An event as lists give it, with a seal that proves it. */
export type ProvenEvent = Omit<AuditEvent, "seal"> & { seal: ProvenSeal };

/** An entry of the log with what its commitment was made of. */
export interface SealedEntry {
  index: number;
  epoch: number;
  id: string;
  nonce: Buffer;
  commitment: Buffer;
  redacted: StoredRedaction | undefined;
  /** Those of the nonce, once they were needed. */
  salts?: PerPart<Uint8Array>;
}

/** A stored event, with SHA-256(salt ‖ body); null without a body. */
export interface ProvenRow extends ShownRow {
  body_hash: Buffer | null;
}

/** The salts of an entry that was not redacted, computed once. */
function saltsOfEntry(entry: SealedEntry): PerPart<Uint8Array> {
  entry.salts ??= saltsOf(entry.nonce);
  return entry.salts;
}

/** The salt of an entry's body as bytes; empty if the body was redacted, because nothing is left of it. */
export function bodySalt(entry: SealedEntry): Buffer {
  const { redacted } = entry;
  if (redacted === undefined) return Buffer.from(saltsOfEntry(entry).body);
  return Buffer.from(redacted.salts.body ?? "", "base64");
}

/** An event with its seal. */
export function toProvenEvent(row: ProvenRow, entry: SealedEntry): ProvenEvent {
  const { index, epoch, redacted } = entry;
  const { body, caller } = redacted?.redactions ?? {};
  const redaction = redacted === undefined ? null : { body: body ?? null, caller: caller ?? null };
  const event = toAuditEvent(row, { index, epoch, redaction });
  const commitment = encodeBase64(entry.commitment);
  return { ...event, seal: { index, epoch, redaction, commitment, ...openParts(row.body_hash, entry) } };
}

function openParts(bodyHash: Buffer | null, entry: SealedEntry): Pick<ProvenSeal, "salts" | "hashes"> {
  const { redacted } = entry;
  if (redacted !== undefined) {
    const { body: salt, ...salts } = redacted.salts;
    const hash = bodyHash ?? (salt === undefined ? null : partHash(Buffer.from(salt, "base64"), Buffer.alloc(0)));
    return { salts, hashes: { ...redacted.hashes, ...(hash !== null && { body: encodeBase64(hash) }) } };
  }
  const { request, body, caller, outcome } = saltsOfEntry(entry);
  return {
    salts: { request: encodeBase64(request), caller: encodeBase64(caller), outcome: encodeBase64(outcome) },
    hashes: { body: encodeBase64(bodyHash ?? partHash(body, Buffer.alloc(0))) },
  };
}
