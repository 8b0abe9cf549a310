import { decodeBase64, encodeBase64 } from "@/lib/sealed-log/base64";
import { FormatError } from "@/lib/sealed-log/format-error";
import type { Head } from "@/lib/sealed-log/proofs";
import { HASH_BYTES } from "@/lib/sealed-log/tree";

const SIZE = /^(0|[1-9]\d{0,15})$/;

/** The text of a C2SP tlog-checkpoint: which log, its size and its root. */
export interface Checkpoint extends Head {
  origin: string;
}

/** The text of a checkpoint: three lines, each with its newline. */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${encodeBase64(root)}\n`;
}

/** Reads the text of a checkpoint. Throws FormatError; extension lines are refused as well, because our logs have none. */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = "", size = "", root = "", ...rest] = text.split("\n");
  if (rest.length !== 1 || rest[0] !== "" || origin === "") {
    throw new FormatError("A checkpoint has three lines: origin, size and root.");
  }
  const bytes = decodeBase64(root, HASH_BYTES);
  if (!SIZE.test(size) || !Number.isSafeInteger(Number(size))) {
    throw new FormatError(`“${size}” is not the size of a log.`);
  }
  if (bytes === null) throw new FormatError(`The root of a checkpoint has ${HASH_BYTES} bytes in base64.`);
  return { origin, size: Number(size), root: bytes };
}
