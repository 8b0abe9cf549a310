import { createHash } from "node:crypto";
import type { Batch, SentEvent } from "@/lib/destinations/batches/batch";
import { inLogOrder } from "@/lib/destinations/batches/in-log-order";

/** A batch as a segment of docs/sealed-log-format.md: a header, its entries, and a trailer. Throws if the batch has no proof. */
export function segmentOf(batch: Batch): string {
  const { origin, epoch, first, end, proof } = batch;
  if (proof === null) throw new Error("a segment needs the proof of its batch");
  const { vkey, left, right, checkpoint, keys } = proof;
  const header = { version: 1, origin, vkey, epoch, first, end, left, right, checkpoint, keys };
  const lines: unknown[] = inLogOrder(batch, toLine, (range) => ({ omitted: { epoch, ...range } }));
  const text = [{ sealed_segment: header }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
  const sha256 = createHash("sha256").update(text).digest("hex");
  return `${text}${JSON.stringify({ export: { rows: lines.length, sha256 } })}\n`;
}

/** An event as a line of a bundle: without the members of parts that are not shown, which nothing proves. */
function toLine({ authentication, client, seal, ...event }: SentEvent): unknown {
  const { index, epoch, commitment, salts, hashes, redaction } = seal;
  const own = Object.entries(redaction ?? {}).filter(([, by]) => by?.epoch === epoch);
  const redacted =
    redaction === null ? {} : { redaction: Object.fromEntries(own.map(([part, by]) => [part, by?.index])) };
  return {
    ...event,
    ...(hashes.caller === undefined && { authentication, client }),
    seal: { index, epoch, salts, hashes, ...redacted, commitment },
  };
}
