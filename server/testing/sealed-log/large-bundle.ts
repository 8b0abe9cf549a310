import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { encodeBase64 } from "@/lib/sealed-log/base64";
import { formatCheckpoint } from "@/lib/sealed-log/checkpoint";
import { commitEventParts, eventLeafHash } from "@/lib/sealed-log/leaf";
import { formatNote, signNote } from "@/lib/sealed-log/note";
import { CompactRange } from "@/lib/sealed-log/tree";
import { verifierKeyOf } from "@/lib/sealed-log/vkey";
import { idAt, ORGANIZATION, START, TestLog } from "@/server/testing/sealed-log/test-log";

const BODY = '{"name":"example.com","port":443,"tags":["production","eu-west"]}';

/** Writes a bundle of `count` entries that was never in memory. Returns its verifier key. */
export async function writeLargeBundle(path: string, count: number): Promise<string> {
  const log = new TestLog();
  const range = CompactRange.empty();
  for (let index = 0; index < count; index++) range.append(entry(index).leaf);
  const text = formatCheckpoint({ origin: log.origin, size: count, root: range.root() });
  const checkpoint = formatNote({ text, signatures: [signNote(text, log.key, verifierKeyOf(log.origin, log.key))] });
  const file = createWriteStream(path);
  const hash = createHash("sha256");
  const write = async (line: string) => {
    hash.update(line);
    if (!file.write(line)) await once(file, "drain");
  };
  await write(`${JSON.stringify({ sealed_log: { ...log.header(), end: count, checkpoint } })}\n`);
  for (let index = 0; index < count; index++) await write(entry(index).line);
  file.end(`${JSON.stringify({ export: { rows: count, sha256: hash.digest("hex") } })}\n`);
  await once(file, "close");
  return log.vkey();
}

function entry(index: number) {
  // Every fiftieth comes late.
  const id = idAt(START + index * 30 - (index % 50 === 0 ? 5_000 : 0), String(index));
  const event = {
    id,
    occurred_at: new Date(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toISOString(),
    request: {
      method: "POST",
      path: "/api/v1/monitors",
      query: null,
      body_size: 65,
      body: BODY,
      body_encoding: "utf8",
    },
    authentication: { organization_id: ORGANIZATION, type: "session", api_key: null, user: null },
    response: { status_code: 201, response_time_ms: 1.5, error_code: null, error_message: null },
    client: {
      ip_address: "192.0.2.1",
      user_agent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36",
      country: "DE",
    },
    security: { rate_limit_remaining: 99, flags: [], is_security_event: false },
    resource: { type: "monitor", id: ORGANIZATION, action: "monitor.create" },
    details: { changes: [{ field: "name", from: null, to: "example.com" }] },
  };
  const nonce = createHash("sha256").update(String(index)).digest().subarray(0, 16);
  const leaf = eventLeafHash(id, commitEventParts(event, Buffer.from(BODY), nonce));
  const line = `${JSON.stringify({ ...event, seal: { index, epoch: 1, nonce: encodeBase64(nonce) } })}\n`;
  return { leaf, line };
}
