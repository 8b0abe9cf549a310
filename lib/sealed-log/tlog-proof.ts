import { decodeBase64, encodeBase64 } from "@/lib/sealed-log/base64";
import { FormatError } from "@/lib/sealed-log/format-error";
import { HASH_BYTES, type Hash } from "@/lib/sealed-log/tree";

const FIRST_LINE = "c2sp.org/tlog-proof@v1";
const INDEX = /^index (0|[1-9]\d{0,15})$/;

/** A C2SP tlog-proof: that an entry is at `index` of the log, under a signed checkpoint. */
interface TlogProof {
  /** Extra data of the application, not authenticated; null if there is none. */
  extra: Uint8Array | null;
  index: number;
  proof: readonly Hash[];
  /** The checkpoint, a signed note. */
  checkpoint: string;
}

export function formatTlogProof({ extra, index, proof, checkpoint }: TlogProof): string {
  const lines = [FIRST_LINE, ...(extra === null ? [] : [`extra ${encodeBase64(extra)}`]), `index ${index}`];
  return `${[...lines, ...proof.map(encodeBase64)].join("\n")}\n\n${checkpoint}`;
}

/** Reads a proof file. Throws FormatError. The checkpoint is not read. */
export function parseTlogProof(text: string): TlogProof {
  const end = text.indexOf("\n\n");
  const [first, ...lines] = text.slice(0, Math.max(end, 0)).split("\n");
  if (first !== FIRST_LINE) throw new FormatError(`A proof begins with ${FIRST_LINE}.`);
  const extra = lines[0]?.startsWith("extra ") ? decodeBase64(lines.shift()?.slice("extra ".length) ?? "") : undefined;
  if (extra === null) throw new FormatError("The extra data of a proof are not base64.");
  const index = Number(INDEX.exec(lines.shift() ?? "")?.[1] ?? Number.NaN);
  if (!Number.isSafeInteger(index)) throw new FormatError("A proof has the index of its entry.");
  const proof = lines.map((line) => {
    const hash = decodeBase64(line, HASH_BYTES);
    if (hash === null) throw new FormatError(`A line of a proof is not a hash of ${HASH_BYTES} bytes.`);
    return hash;
  });
  return { extra: extra ?? null, index, proof, checkpoint: text.slice(end + 2) };
}
