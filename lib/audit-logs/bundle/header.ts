import type pg from "pg";
import { firstSealedSince } from "@/lib/audit-logs/bundle/log-position";
import { CLASSES } from "@/lib/audit-logs/partitions/classes";
import type { Scope } from "@/lib/audit-logs/scope/scope";
import { keyAt, keyChanges, readKeyChain } from "@/lib/audit-logs/seal/key-chain";
import { type CosignedCheckpoint, listCosigned } from "@/lib/audit-logs/seal/list-cosigned";
import { listStamped } from "@/lib/audit-logs/seal/list-stamped";
import { type LogKey, StoredNodes } from "@/lib/audit-logs/seal/nodes";
import type { EpochDetails } from "@/lib/audit-logs/seal/start-epoch";
import { encodeBase64 } from "@/lib/sealed-log/base64";
import { parseCheckpoint } from "@/lib/sealed-log/checkpoint";
import type { HeadsProof } from "@/lib/sealed-log/heads";
import { parseNote } from "@/lib/sealed-log/note";
import { organizationOrigin } from "@/lib/sealed-log/origin";
import { rangeNodes } from "@/lib/sealed-log/tree";
import { formatVkey, verifierKey } from "@/lib/sealed-log/vkey";

type Database = Pick<pg.ClientBase, "query">;

/** What limits a bundle: the epoch, the present one unless given, and times of sealing in Unix milliseconds. */
export interface SealingRange {
  epoch: number | undefined;
  since: number | undefined;
  until: number | undefined;
}

/** The content of a bundle: the events [first, end) of a log, and its first line. */
export interface BundleStart {
  log: LogKey;
  first: number;
  end: number;
  /** The entries that the checkpoint covers. */
  size: number;
  header: string;
}

interface SignedLog {
  slot: number;
  epoch: number;
  /** Whether a later epoch has begun. */
  is_closed: boolean;
  host: string;
  checkpoint: string;
  heads: HeadsProof;
}

/** The newest signed checkpoint of an organization's log, of an epoch if given, else of the present one. Null until there is one. */
export async function newestCheckpoint(
  database: Database,
  organizationId: string,
  epoch?: number,
): Promise<SignedLog | null> {
  const { rows } = await database.query<SignedLog>(
    `SELECT l.slot::float8 AS slot, c.epoch, c.epoch < l.epoch AS is_closed, i.host, c.checkpoint, c.heads
     FROM audit_seal_checkpoints c JOIN audit_seal_logs l ON l.organization_id = c.organization_id
       CROSS JOIN audit_seal_installation i
     WHERE c.organization_id = $1 AND c.epoch = coalesce($2, l.epoch) ORDER BY c.size DESC LIMIT 1`,
    [organizationId, epoch ?? null],
  );
  return rows[0] ?? null;
}

/** The header of a bundle, from one snapshot. Null until a checkpoint is signed. Throws RangeError if hashes are missing. */
export async function startBundle(
  database: Database,
  { organizationId, days }: Scope,
  { epoch: asked, since, until }: SealingRange,
): Promise<BundleStart | null> {
  const signed = await newestCheckpoint(database, organizationId, asked);
  if (signed === null) return null;
  const { slot, epoch, is_closed, host, checkpoint, heads } = signed;
  const log: LogKey = { organization_id: organizationId, epoch };
  const { size } = parseCheckpoint(parseNote(checkpoint).text);
  const sealedFirst = Math.min(size, (await firstSealedSince(database, log, new Date(since ?? 0))) ?? size);
  const sealedEnd =
    until === undefined
      ? size
      : Math.max(sealedFirst, Math.min(size, (await firstSealedSince(database, log, new Date(until))) ?? size));
  const { first, end, cosigned } = await widen(database, log, { first: sealedFirst, end: sealedEnd, since, until });
  const [left, right] = [rangeNodes(0, first), rangeNodes(end, size)];
  const nodes = await StoredNodes.read(database, log, [...left, ...right]);
  const hashes = (range: typeof left) => range.map(({ level, index }) => encodeBase64(nodes.at(level, index)));
  const origin = organizationOrigin({ host, organizationId, slot, epoch });
  const chain = await readKeyChain(database, organizationId, epoch);
  const publicKey = keyAt(chain, size);
  if (publicKey === null) throw new Error("a signed log has no key");
  const header = {
    ...{ version: 1, origin, vkey: formatVkey(verifierKey(origin, publicKey)), epoch, first, end },
    ...{ since: timeOf(since), until: timeOf(until), left: hashes(left), right: hashes(right) },
    ...{
      checkpoint,
      checkpoints: [...(await stampedCheckpoints(database, log, { first, end })), ...cosigned.flatMap(keptCheckpoints)],
      keys: keyChanges(origin, chain, size),
      heads: cosigned.find((one) => one.size === size)?.last ?? heads,
      retention_days: days,
      ...(is_closed && { is_closed }),
    },
    ...(await beginningOf(database, log)),
  };
  return { log, first, end, size, header: `${JSON.stringify({ sealed_log: header })}\n` };
}

/** The checkpoints of this range with a time stamp, oldest first. */
async function stampedCheckpoints(database: Database, log: LogKey, range: { first: number; end: number }) {
  const stamped = await listStamped(database, log, range);
  return stamped.reverse().map(({ note, heads, token }) => ({ note, heads, stamps: [encodeBase64(token)] }));
}

/** How far the ends of a range move to where a witness shows what was sealed by then. */
const MAX_WIDENING_MS = 2 * 86_400_000;
/** Checkpoints that are looked at on each side; some a day are kept. */
const NEAR = 40;

interface Range {
  first: number;
  end: number;
}

/**
 * Widens a range so that witnesses show its ends, rather than our clock: to the last checkpoint that was cosigned before `since`, and the
 * first that was cosigned after `until`, by at most two days. Returns also the cosigned checkpoints of the range.
 */
async function widen(
  database: Database,
  log: LogKey,
  { first, end, since, until }: Range & Omit<SealingRange, "epoch">,
): Promise<Range & { cosigned: CosignedCheckpoint[] }> {
  const before = since === undefined ? [] : await listCosigned(database, log, { first: 0, end: first, limit: NEAR });
  const start = before.findLast(
    ({ first_at }) => first_at <= (since ?? 0) && first_at > (since ?? 0) - MAX_WIDENING_MS,
  );
  const from = start === undefined ? first : await keptFrom(database, log, start.size, first);
  const within = await listCosigned(database, log, { first: from, end });
  const isAfter = ({ last_at }: CosignedCheckpoint) =>
    until !== undefined && last_at >= until && last_at < until + MAX_WIDENING_MS;
  if (until === undefined || within.some(isAfter)) return { first: from, end, cosigned: within };
  const behind = { first: end + 1, end: Number.MAX_SAFE_INTEGER, limit: NEAR, order: "ASC" } as const;
  const after = (await listCosigned(database, log, behind)).find(isAfter);
  return { first: from, end: after?.size ?? end, cosigned: [...within, ...(after === undefined ? [] : [after])] };
}

/** `size`, if the seals from there on are kept; otherwise `first`. */
async function keptFrom(database: Database, { organization_id, epoch }: LogKey, size: number, first: number) {
  const { rows } = await database.query(
    "SELECT FROM audit_seals WHERE organization_id = $1 AND epoch = $2 AND first_index <= $3 LIMIT 1",
    [organization_id, epoch, size],
  );
  return rows.length > 0 ? size : first;
}

/** A cosigned checkpoint as the header has it: twice, if it was cosigned at two times. */
function keptCheckpoints({ note, first, last }: CosignedCheckpoint) {
  const places = first.checkpoint === last.checkpoint ? [first] : [first, last];
  return places.map((heads) => ({ note, heads, stamps: [] }));
}

/** What the first entry of an epoch says about the previous epoch. */
async function beginningOf(
  database: Database,
  { organization_id, epoch }: LogKey,
): Promise<Pick<EpochDetails, "closed" | "previous">> {
  const none = { closed: null, previous: null };
  if (epoch === 1) return none;
  const { rows: seals } = await database.query<{ id: string }>(
    "SELECT ids[1] AS id FROM audit_seals WHERE organization_id = $1 AND epoch = $2 AND first_index = 0",
    [organization_id, epoch],
  );
  const { rows } = await database.query<{ details: EpochDetails }>(
    "SELECT details FROM audit_events WHERE organization_id = $1 AND retention_days = ANY($2::smallint[]) AND id = $3",
    [organization_id, CLASSES, seals[0]?.id ?? null],
  );
  const [{ closed, previous } = none] = rows.map(({ details }) => details);
  return { closed, previous };
}

const timeOf = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString());
