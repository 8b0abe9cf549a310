import type { Checkpoint } from "@/lib/sealed-log/checkpoint";
import { HASH_BYTES, type Hash, sha256 } from "@/lib/sealed-log/tree";

/** First bytes of the entries of both trees. An event's is 0x01 (leaf.ts). */
const HEAD = 2;
const INSTALLATION = 3;
const SIZE_BYTES = 8;

/** The entry of an unassigned slot: 0x02 and 72 zero bytes. */
export const UNUSED_SLOT: Uint8Array = Buffer.concat([Buffer.of(HEAD), Buffer.alloc(2 * HASH_BYTES + SIZE_BYTES)]);

/** The entry of a slot in the heads tree: 0x02 ‖ SHA-256(origin) ‖ size (u64, big-endian) ‖ root. */
export function headEntry({ origin, size, root }: Checkpoint): Buffer {
  return Buffer.concat([Buffer.of(HEAD), sha256(Buffer.from(origin)), bigEndian(size), root]);
}

/** An entry of the installation's log: 0x03 ‖ number of slots (u64, big-endian) ‖ root of the heads tree. */
export function installationEntry(slots: number, root: Hash): Buffer {
  return Buffer.concat([Buffer.of(INSTALLATION), bigEndian(slots), root]);
}

function bigEndian(number: number): Buffer {
  const bytes = Buffer.alloc(SIZE_BYTES);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
}

/** The position of an organization's head among all heads, for verifiers. Hashes are base64. */
export interface HeadsProof {
  slots: number;
  /** The inclusion proof of the organization's slot among all heads. */
  path: string[];
  /** The position of the root over all heads in the installation's log, and its inclusion proof. */
  index: number;
  proof: string[];
  /** The installation's checkpoint, signed. */
  checkpoint: string;
}
