import { createHash } from "node:crypto";
import type { TestBundle } from "@/server/testing/sealed-log/test-log";

/**
 * Files that differ from a bundle's in one bit, at pseudo-random places: half of them anywhere, half in its entries and with a trailer
 * that fits. Files that are the same JSON but for members that are null are left out: those are not sealed.
 */
export function damaged(bundle: TestBundle, { seed, count }: { seed: number; count: number }): Buffer[] {
  const text = Buffer.from(bundle.text());
  const entries = { from: text.indexOf("\n") + 1, to: text.lastIndexOf("\n", text.length - 2) };
  const files: Buffer[] = [];
  for (let round = 0; files.length < count; round++) {
    const random = createHash("sha256").update(`${seed} ${round}`).digest();
    const isAnywhere = round % 2 === 0;
    const [from, to] = isAnywhere ? [0, text.length] : [entries.from, entries.to];
    const at = from + (random.readUInt32BE(0) % (to - from));
    const file = Buffer.from(text);
    file[at] = (file[at] ?? 0) ^ (1 << ((random[4] ?? 0) % 8));
    if (isAnywhere) files.push(file);
    else if (!isSameJson(text, file)) files.push(withTrailer(file, bundle.rows.length));
  }
  return files;
}

function isSameJson(one: Buffer, other: Buffer): boolean {
  const normal = (bytes: Buffer) => bytes.toString("utf8").split("\n").map(normalLine).join("\n");
  return normal(one) === normal(other);
}

function normalLine(line: string): string {
  try {
    return JSON.stringify(JSON.parse(line), (_, value: unknown) => (value === null ? undefined : value));
  } catch {
    return line;
  }
}

/** The file with the trailer that its lines have now. */
function withTrailer(file: Buffer, rows: number): Buffer {
  const lines = file.subarray(0, file.lastIndexOf("\n", file.length - 2) + 1);
  const sha256 = createHash("sha256").update(lines).digest("hex");
  return Buffer.concat([lines, Buffer.from(`${JSON.stringify({ export: { rows, sha256 } })}\n`)]);
}
