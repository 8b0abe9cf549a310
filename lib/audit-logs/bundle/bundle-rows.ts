import type pg from "pg";
import { SHOWN, type ShownRow, toAuditEventWithBody } from "@/lib/audit-logs/audit-event";
import { type BundleStart, type SealingRange, startBundle } from "@/lib/audit-logs/bundle/header";
import { changesOutside, linesOutside, type Outside } from "@/lib/audit-logs/bundle/lines-outside";
import { Conditions } from "@/lib/audit-logs/conditions";
import type { AuditEventWithBody } from "@/lib/audit-logs/contract";
import { CLASSES } from "@/lib/audit-logs/partitions/classes";
import type { Scope } from "@/lib/audit-logs/scope/scope";
import { unexpired } from "@/lib/audit-logs/scope/where";
import { cut, readTogether } from "@/lib/audit-logs/seal/seal-rows";
import { readRedactions, redactedSeal, type StoredRedaction } from "@/lib/audit-logs/seal/stored-redactions";
import { requireSetting } from "@/lib/config";
import { connectClient, destroy } from "@/lib/db/connections";
import type { RowSource } from "@/lib/db/rows/row-source";
import { idTime } from "@/lib/ids";
import { encodeBase64 } from "@/lib/sealed-log/base64";
import { NONCE_BYTES } from "@/lib/sealed-log/leaf";
import { HASH_BYTES } from "@/lib/sealed-log/tree";

/** The rows of a block begin within this many entries; a row of a quiet log has one. Events are read one block at a time. */
const BLOCK_ENTRIES = 256;
/** Bytes of bodies per query. */
const BODY_BYTES = 8 * 1024 * 1024;

interface SealsRow {
  first_index: number;
  ids: string[];
  nonces: Buffer;
  commitments: Buffer;
}

interface Entry {
  index: number;
  id: string;
  nonce: Buffer;
  commitment: Buffer;
}

/** The lines of a sealed export from one snapshot, with its first line; see docs/sealed-log-format.md. */
export class BundleRows implements RowSource {
  rows = 0;
  #client: pg.Client | undefined;
  #ended = false;
  #start: BundleStart | undefined;
  #next = 0;
  /** Events outside of the range that say what verifiers need to know of it; undefined before the end of the range. */
  #changes: Outside[] | undefined;
  /** The index at which to continue with lines of events outside of the range; null if there are no more. */
  #nextOutside: number | null = 0;
  /** Entries that were read but not written yet, by index. */
  #waiting: Entry[] = [];
  #events = new Map<string, ShownRow>();
  #redactions = new Map<number, StoredRedaction>();
  /** As read; undefined before. */
  #excused: number | undefined;

  constructor(
    private readonly scope: Scope,
    private readonly range: SealingRange,
    /** The time up to which events may have expired under an earlier plan (Unix milliseconds). It is read once something is absent. */
    private readonly excusedUntil: () => Promise<number>,
  ) {}

  async next(): Promise<Buffer | null> {
    if (this.#start === undefined) return this.#begin();
    if (this.#waiting.length === 0) await this.#readBlock(this.#start);
    if (this.#waiting.length === 0) return this.#writeOutside(this.#start);
    return this.#write(this.#start);
  }

  async end(complete: boolean): Promise<void> {
    this.#ended = true;
    if (!complete && this.#client) destroy(this.#client);
    await this.#client?.end().catch(() => {});
  }

  async #begin(): Promise<Buffer> {
    const client = await connectClient(requireSetting("AUDIT_DATABASE_URL"), "export");
    this.#client = client;
    if (this.#ended) await this.end(false);
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const start = await startBundle(client, this.scope, this.range);
    if (start === null) throw new Error("there is no signed checkpoint any more");
    this.#start = start;
    this.#next = start.first;
    return Buffer.from(start.header);
  }

  get #database(): pg.Client {
    if (this.#client === undefined) throw new Error("the export has not begun");
    return this.#client;
  }

  async #readBlock({ log, end }: BundleStart): Promise<void> {
    if (this.#next >= end) return;
    const { rows } = await this.#database.query<SealsRow>(
      `SELECT first_index::float8 AS first_index, ids, nonces, commitments FROM audit_seals
       WHERE organization_id = $1 AND epoch = $2 AND first_index >= $3 AND first_index < $4 ORDER BY first_index`,
      [log.organization_id, log.epoch, this.#next, Math.min(end, this.#next + BLOCK_ENTRIES)],
    );
    this.#waiting = readTogether(rows).flatMap(entriesOf);
    const last = this.#waiting.at(-1);
    if (this.#waiting[0]?.index !== this.#next || last === undefined)
      throw new Error(`the seal of event ${this.#next} is missing`);
    this.#next = last.index + 1;
    const ids = this.#waiting.map(({ id }) => id);
    const all = new Conditions([log.organization_id, CLASSES, ids, ...bounds(ids)]);
    const { rows: events } = await this.#database.query<ShownRow>(
      `SELECT ${SHOWN} FROM audit_events WHERE organization_id = $1 AND retention_days = ANY($2::smallint[]) AND id = ANY($3::uuid[])
         AND id BETWEEN $4 AND $5 AND ${unexpired(all, this.scope)}`,
      all.values,
    );
    this.#events = new Map(events.map((row) => [row.id, row]));
    this.#redactions = await readRedactions(this.#database, log, this.#waiting[0].index, this.#next);
    if (ids.some((id) => !this.#events.has(id) && !this.#isExpired(id))) this.#excused ??= await this.excusedUntil();
  }

  async #writeOutside(start: BundleStart): Promise<Buffer | null> {
    if (this.#nextOutside === null) return null;
    this.#changes ??= await changesOutside(this.#database, start, this.scope);
    const found = await linesOutside(this.#database, start, this.#changes, this.#nextOutside);
    this.#nextOutside = found?.next ?? null;
    if (found === null) return null;
    this.rows += found.lines.length;
    return Buffer.from(found.lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }

  /** The lines of the next waiting entries, as many as their bodies allow. */
  async #write({ log }: BundleStart): Promise<Buffer> {
    let bytes = 0;
    const fits = ({ id }: Entry, position: number) => {
      bytes += this.#events.get(id)?.body_size ?? 0;
      return position === 0 || bytes <= BODY_BYTES;
    };
    const end = this.#waiting.findIndex((entry, position) => !fits(entry, position));
    const entries = this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
    const ids = entries.map(({ id }) => id);
    const { rows } = await this.#database.query<{ id: string; body: Buffer }>(
      `SELECT id, body FROM audit_bodies WHERE organization_id = $1 AND retention_days = ANY($2::smallint[]) AND id = ANY($3::uuid[])
         AND id BETWEEN $4 AND $5`,
      [log.organization_id, CLASSES, ids, ...bounds(ids)],
    );
    const bodies = new Map(rows.map(({ id, body }) => [id, body]));
    this.rows += entries.length;
    const lines = entries.map((entry) => JSON.stringify(this.#line(entry, log.epoch, bodies.get(entry.id) ?? null)));
    return Buffer.from(`${lines.join("\n")}\n`);
  }

  #isExpired(id: string): boolean {
    const time = idTime(id);
    return time < this.scope.oldest || time <= (this.#excused ?? Number.NEGATIVE_INFINITY);
  }

  #line({ index, id, nonce, commitment }: Entry, epoch: number, body: Buffer | null): unknown {
    const row = this.#events.get(id);
    if (row === undefined) {
      const reason = this.#isExpired(id) ? "expired" : "missing";
      return { thin: { index, epoch, id, commitment: encodeBase64(commitment), reason } };
    }
    const event = toAuditEventWithBody(row, body, null);
    const redacted = this.#redactions.get(index);
    if (redacted !== undefined) {
      const seal = { ...redactedSeal(redacted), commitment: encodeBase64(commitment) };
      return { ...withoutParts(event, Object.keys(redacted.hashes)), seal };
    }
    return { ...event, seal: { index, epoch, nonce: encodeBase64(nonce), commitment: encodeBase64(commitment) } };
  }
}

/** The event without the members of parts that are not shown: verifiers accept no value that nothing proves. */
function withoutParts(event: AuditEventWithBody, hidden: readonly string[]): object {
  const { authentication, client, request, ...rest } = event;
  const caller = hidden.includes("caller") ? {} : { authentication, client };
  if (request === null || !hidden.includes("body")) return { ...rest, ...caller, request };
  const { body: _, body_encoding: __, ...shown } = request;
  return { ...rest, ...caller, request: shown };
}

function entriesOf({ first_index, ids, nonces, commitments }: SealsRow): Entry[] {
  const [nonce, commitment] = [cut(nonces, NONCE_BYTES), cut(commitments, HASH_BYTES)];
  return ids.map((id, at) => ({
    index: first_index + at,
    id,
    nonce: nonce[at] ?? Buffer.alloc(0),
    commitment: commitment[at] ?? Buffer.alloc(0),
  }));
}

/** The least and the greatest id, so that a query opens few partitions. */
function bounds(ids: readonly string[]): [string, string] {
  const sorted = [...ids].sort();
  return [sorted[0] ?? "", sorted.at(-1) ?? ""];
}
