import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Batch, OmittedRange, SentEvent } from "@/lib/destinations/batches/batch";
import { segmentOf } from "@/lib/destinations/kinds/s3/segment";
import { encodeBase64 } from "@/lib/sealed-log/base64";
import { type Part, partHashes, parts, saltsOf } from "@/lib/sealed-log/leaf";
import { isObject, type TestLog, without } from "@/server/testing/sealed-log/test-log";

/** The entries [first, end) of an object, and what of them is omitted. */
export interface TestRange {
  first: number;
  end: number;
  /** The entries that the checkpoint covers; all unless given. */
  size?: number;
  omitted?: { first: number; end: number; reason: OmittedRange["reason"]; isGone?: boolean }[];
  /** Parts that were redacted, and by which entry. */
  redacted?: Record<number, { part: "body" | "caller"; by: number }>;
}

/** A bucket as a destination fills it: names and gzipped objects, in order. */
export class TestFolder {
  readonly files = new Map<string, Buffer>();

  constructor(log: TestLog, ranges: readonly TestRange[], day = "2026/03/01") {
    for (const range of ranges) this.put(log, range, day);
  }

  /** Adds an object and its checkpoint. Returns its name. */
  put(log: TestLog, range: TestRange, day = "2026/03/01"): string {
    const batch = batchOf(log, range);
    const [epoch, first, last] = [String(log.epoch).padStart(4, "0"), pad(range.first), pad(range.end - 1)];
    const name = `audit/${day}/${epoch}-${first}-${last}`;
    this.files.set(`${name}.checkpoint`, Buffer.from(batch.proof?.checkpoint ?? ""));
    this.files.set(`${name}.ndjson.gz`, gzipSync(segmentOf(batch)));
    return `${name}.ndjson.gz`;
  }

  /** The name of the object that begins with an entry. */
  nameAt(first: number): string {
    const name = [...this.files.keys()].find((each) => each.endsWith(".gz") && each.includes(`-${pad(first)}-`));
    if (name === undefined) throw new RangeError(`no object begins at ${first}`);
    return name;
  }

  /** Changes the text of an object. */
  edit(first: number, change: (text: string) => string): void {
    const name = this.nameAt(first);
    this.files.set(name, gzipSync(change(gunzipSync(this.files.get(name) ?? "").toString())));
  }

  /** Changes the lines of an object between its header and its trailer, which then counts and hashes what is there. */
  forge(first: number, change: (text: string) => string): void {
    this.edit(first, (text) => {
      const [header = "", ...lines] = text.split("\n").slice(0, -2);
      const changed = change(lines.join("\n"));
      const before = `${header}\n${changed}\n`;
      const sha256 = createHash("sha256").update(before).digest("hex");
      return `${before}${JSON.stringify({ export: { rows: changed.split("\n").length, sha256 } })}\n`;
    });
  }

  /** As the verifier takes them. */
  list(): { name: string; open: () => Buffer[] }[] {
    return [...this.files].map(([name, bytes]) => ({ name, open: () => [bytes] }));
  }
}

const pad = (index: number) => String(index).padStart(12, "0");

function batchOf(log: TestLog, { first, end, size = log.tree.size, omitted = [], redacted = {} }: TestRange): Batch {
  const isOmitted = (index: number) => omitted.some((range) => range.first <= index && index < range.end);
  const indexes = Array.from({ length: end - first }, (_, at) => first + at).filter((index) => !isOmitted(index));
  const gone = omitted.filter(({ isGone }) => isGone);
  const from = gone.at(-1)?.end ?? first;
  const hashes = (begin: number, behind: number) => log.tree.range(begin, behind).map(encodeBase64);
  return {
    ...{ origin: log.origin, epoch: log.epoch, first, end },
    events: indexes.map((index) => sentEvent(log, index, redacted[index])),
    omitted: omitted.map(({ isGone, ...range }) => {
      return { ...range, hashes: isGone ? null : hashes(range.first, range.end) };
    }),
    proof: {
      ...{ from, left: hashes(0, from), right: hashes(end, size), vkey: log.vkey(), checkpoint: log.checkpoint(size) },
      ...{ keys: log.changes as { vkey: string; note: string }[], sealedAt: "2026-03-01T00:00:00.000Z" },
    },
  };
}

/** An event as it is sent: without its body, and without what was redacted. */
function sentEvent(log: TestLog, index: number, redacted?: { part: Part; by: number }): SentEvent {
  const { id, event, nonce, commitment } = log.entry(index);
  const { request } = event;
  const hidden: Part[] = redacted?.part === "caller" ? ["body", "caller"] : ["body"];
  const hashes = partHashes(nonce, log.partsOf(index));
  const salts = saltsOf(nonce);
  const chosen = (names: readonly Part[], of: Record<Part, Uint8Array>) =>
    Object.fromEntries(names.map((part) => [part, encodeBase64(of[part])]));
  const by = { id, index: redacted?.by ?? 0, epoch: log.epoch, at: "2026-03-02T00:00:00.000Z" };
  return {
    ...event,
    ...(redacted?.part === "caller" && { authentication: null, client: null }),
    request: isObject(request) ? without(request, ["body", "body_encoding"]) : request,
    seal: {
      ...{ index, epoch: log.epoch, commitment: encodeBase64(commitment), hashes: chosen(hidden, hashes) },
      salts: chosen(
        parts.filter((part) => !hidden.includes(part)),
        salts,
      ),
      redaction: redacted === undefined ? null : { body: null, caller: null, [redacted.part]: by },
    },
  } as unknown as SentEvent;
}
