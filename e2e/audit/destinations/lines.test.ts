import { afterAll, expect, test } from "vitest";
import { eventsIn, grow, type Line, omittedIn, streamTo, takenBy } from "@/e2e/audit/destinations/streaming";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSink, type Sink } from "@/e2e/support/stand-ins/sink";
import { until } from "@/e2e/support/until";
import type { SentEvent } from "@/lib/destinations/batches/batch";
import { decodeBase64 } from "@/lib/sealed-log/base64";
import { parseCheckpoint } from "@/lib/sealed-log/checkpoint";
import { commitmentOf, eventLeafHash, eventParts, type Part, partHash } from "@/lib/sealed-log/leaf";
import { parseNote, verifyNote } from "@/lib/sealed-log/note";
import { type Head, verifyConsistency } from "@/lib/sealed-log/proofs";
import { CompactRange } from "@/lib/sealed-log/tree";
import { parseVkey } from "@/lib/sealed-log/vkey";

// As docs/sealed-log-format.md, "Lines of a stream", describes it.

const server = sharedServer();
const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

const bytesOf = (text = "") => decodeBase64(text) ?? Buffer.alloc(0);

/** The leaf of an event: from what is shown of it, and the hashes of what is not. */
function leafOf({ seal, ...event }: SentEvent) {
  const bytes = eventParts(event, null);
  const hashOf = (part: Part) => {
    const salt = seal.salts[part];
    return salt === undefined ? bytesOf(seal.hashes[part]) : partHash(bytesOf(salt), bytes[part]);
  };
  const [request, body] = [hashOf("request"), hashOf("body")];
  return eventLeafHash(event.id, commitmentOf({ request, body, caller: hashOf("caller"), outcome: hashOf("outcome") }));
}

/** The tree over lines from index 0 on; those that are there already are skipped. Throws for a gap. */
function headOf(lines: readonly Line[]): Head {
  const tree = CompactRange.empty();
  for (const line of lines) {
    const [first, end] =
      "omitted" in line ? [line.omitted.first, line.omitted.end] : [line.seal.index, line.seal.index + 1];
    if (end <= tree.end) continue;
    const range =
      "omitted" in line
        ? CompactRange.of(first, end, (line.omitted.hashes ?? []).map(bytesOf))
        : CompactRange.empty(first);
    if (!("omitted" in line)) range.append(leafOf(line));
    tree.merge(range);
  }
  return { size: tree.end, root: tree.root() };
}

/** Whether a signed checkpoint of the log covers the tree over these lines. */
async function isProved({ admin }: Organization, lines: readonly Line[]): Promise<boolean> {
  const head = headOf(lines);
  const { checkpoint, vkey } = (await admin.get<{ checkpoint: string; vkey: string }>("/audit-logs/seal")).data;
  const signed = parseNote(checkpoint);
  expect(verifyNote(signed, [parseVkey(vkey)])).toHaveLength(1);
  const { size, root } = parseCheckpoint(signed.text);
  const path = `/audit-logs/consistency?from=${head.size}&to=${size}`;
  const { hashes } = (await admin.get<{ hashes: string[] }>(path)).data;
  return verifyConsistency(head, { size, root }, hashes.map(bytesOf));
}

/** The lines that a sink has once it has this event. */
async function linesWith(sink: Sink, id: string): Promise<Line[]> {
  return until("the event is taken", () => {
    const lines = takenBy(sink);
    return eventsIn(lines).some((event) => event.id === id) && lines;
  });
}

test.each([
  ["all events", {}],
  ["events that match filters, and the ranges between them", { path: "/wanted" }],
])("the lines of %s give the root of the log, and changed ones do not", async (_, filters) => {
  const [owner, sink] = [await newOrganization(server), await newSink()];
  closers.push(sink.close);
  await streamTo(owner, sink, { start: "oldest", query: filters });
  await grow(owner, 5, "/unwanted");
  await grow(owner, 2, "/wanted");
  await grow(owner, 9, "/unwanted");
  const [last = ""] = await grow(owner, 1, "/wanted");
  const lines = await linesWith(sink, last);
  expect(omittedIn(lines).length > 0).toBe("path" in filters);
  expect(await isProved(owner, lines)).toBe(true);
  const changed = lines.map((line) =>
    "omitted" in line || line.id !== last ? line : { ...line, response: { ...line.response, status_code: 404 } },
  );
  expect(await isProved(owner, changed)).toBe(false);
  expect(() => headOf(lines.slice(1))).toThrow(RangeError);
});
