import { decodeBase64, encodeBase64 } from "@/lib/sealed-log/base64";
import { FormatError } from "@/lib/sealed-log/format-error";
import { HASH_BYTES, type Hash } from "@/lib/sealed-log/tree";

/** Maximum number of hashes in a consistency proof (C2SP tlog-witness). */
const MAX_HASHES = 63;
const OLD = /^old (0|[1-9]\d{0,15})$/;

/** A log's request to a witness to cosign a checkpoint (C2SP tlog-witness, add-checkpoint). */
export interface AddCheckpoint {
  /** The size that the witness is expected to have seen last. */
  old: number;
  /** The consistency proof from that size (RFC 6962, section 2.1.2). */
  proof: Hash[];
  /** The signed checkpoint. */
  note: string;
}

/** Reads the body of a request. Throws FormatError. */
export function parseAddCheckpoint(body: string): AddCheckpoint {
  const end = body.indexOf("\n\n");
  const [first = "", ...lines] = body.slice(0, Math.max(0, end)).split("\n");
  const [, digits] = OLD.exec(first) ?? [];
  if (end < 0 || digits === undefined || !Number.isSafeInteger(Number(digits))) {
    throw new FormatError("The request begins with a line “old SIZE”, and an empty line in front of the checkpoint.");
  }
  if (lines.length > MAX_HASHES) throw new FormatError(`A proof has at most ${MAX_HASHES} hashes.`);
  const proof = lines.map((line) => {
    const hash = decodeBase64(line, HASH_BYTES);
    if (hash === null) throw new FormatError(`A hash of a proof has ${HASH_BYTES} bytes in base64.`);
    return hash;
  });
  return { old: Number(digits), proof, note: body.slice(end + 2) };
}

/** The body of a request. */
export function formatAddCheckpoint({ old, proof, note }: AddCheckpoint): string {
  return `${[`old ${old}`, ...proof.map(encodeBase64)].join("\n")}\n\n${note}`;
}
