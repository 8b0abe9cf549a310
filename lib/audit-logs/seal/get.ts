import type { getSealedLog as contract } from "@/lib/audit-logs/seal/get-contract";
import { keyAt, keyChanges, type LogKeyPeriod, readKeyChain } from "@/lib/audit-logs/seal/key-chain";
import { listStamped } from "@/lib/audit-logs/seal/list-stamped";
import { listWitnesses } from "@/lib/audit-logs/seal/list-witnesses";
import { auditPool } from "@/lib/db/audit";
import type { Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { parseCheckpoint } from "@/lib/sealed-log/checkpoint";
import { parseNote } from "@/lib/sealed-log/note";
import { organizationOrigin } from "@/lib/sealed-log/origin";
import { formatVkey, verifierKey } from "@/lib/sealed-log/vkey";

/** The time stamps in an answer. */
const MAX_STAMPS = 10;
/** Number of the newest checkpoints that are searched for cosignatures. */
const MAX_COSIGNED = 40;

interface Log {
  slot: number;
  epoch: number;
  refused: string | null;
  is_importing: boolean;
  host: string | null;
}

/** The last self-check that finished. */
interface Check {
  checked_at: Date;
  size: number;
  first_wrong_index: number | null;
  message: string | null;
}

/** The state of the organization's sealed log, with its newest signed checkpoint. */
export async function getSealedLog({ organizationId }: Principal): Promise<Output<typeof contract>> {
  const own = [organizationId];
  const [{ rows: logs }, { rows: signed }, { rows: kept }, { rows: queued }, { rows: checks }] = await Promise.all([
    auditPool().query<Log>(
      `SELECT slot::float8 AS slot, l.epoch, coalesce(i.refused, l.refused) AS refused, import_after IS NOT NULL AS is_importing, host
       FROM audit_seal_logs l CROSS JOIN audit_seal_installation i WHERE organization_id = $1`,
      own,
    ),
    auditPool().query<{ checkpoint: string; signed_at: Date }>(
      `SELECT checkpoint, signed_at FROM audit_seal_checkpoints WHERE organization_id = $1
       ORDER BY epoch DESC, size DESC LIMIT 1`,
      own,
    ),
    auditPool().query<{ index: number }>(
      `SELECT first_index::float8 AS index FROM audit_seals WHERE organization_id = $1
       ORDER BY epoch DESC, first_index LIMIT 1`,
      own,
    ),
    auditPool().query<{ seconds: number }>(
      `SELECT greatest(0, extract(epoch FROM now() - queued_at))::float8 AS seconds
       FROM audit_seal_queue WHERE organization_id = $1 ORDER BY queued_at LIMIT 1`,
      own,
    ),
    auditPool().query<Check>(
      `SELECT checked_at, size::float8 AS size, first_wrong_index::float8 AS first_wrong_index, message
       FROM audit_seal_checks WHERE organization_id = $1 AND size IS NOT NULL`,
      own,
    ),
  ]);
  const [log] = logs;
  const [newest] = signed;
  const key = { organization_id: organizationId, epoch: log?.epoch ?? 1 };
  const stamped = await listStamped(auditPool(), key, { first: 0, end: Number.MAX_SAFE_INTEGER, limit: MAX_STAMPS });
  const witnesses = await readWitnesses(organizationId, key.epoch);
  const checkpoint = newest === undefined ? null : parseCheckpoint(parseNote(newest.checkpoint).text);
  // Read after the checkpoint, whose key is the one of its size.
  const chain = log === undefined ? [] : await readKeyChain(auditPool(), organizationId, log.epoch);
  return {
    ...keysOf(organizationId, log, { chain, size: checkpoint?.size ?? 0 }),
    epoch: log?.epoch ?? 1,
    size: checkpoint?.size ?? 0,
    root: checkpoint === null ? null : Buffer.from(checkpoint.root).toString("base64"),
    checkpoint: newest?.checkpoint ?? null,
    signed_at: newest?.signed_at.toISOString() ?? null,
    oldest_index: kept[0]?.index ?? null,
    lag_seconds: queued[0]?.seconds ?? null,
    is_importing: log?.is_importing ?? false,
    refused: log?.refused ?? null,
    stamps: stamped.map(({ size, stamped_at, authority, heads: { checkpoint }, token }) => ({
      ...{ size, at: stamped_at.toISOString(), authority, checkpoint, token: token.toString("base64") },
    })),
    witnesses,
    self_check: checks[0] ? selfCheck(checks[0]) : null,
  };
}

/** The witnesses, each with the entries under the newest checkpoint of this log that it has cosigned. */
async function readWitnesses(organizationId: string, epoch: number): Promise<Output<typeof contract>["witnesses"]> {
  const witnesses = await listWitnesses(auditPool());
  if (witnesses.length === 0) return [];
  const { rows } = await auditPool().query<{ vkey: string; size: number }>(
    `SELECT s.vkey, max(c.size)::float8 AS size FROM (
       SELECT epoch, size, first_heads, heads, covered FROM audit_seal_checkpoints
       WHERE organization_id = $1 AND epoch = $2 ORDER BY size DESC LIMIT ${MAX_COSIGNED}
     ) AS c CROSS JOIN LATERAL (VALUES (c.first_heads), (c.heads), (c.covered)) AS place (heads)
     JOIN audit_seal_cosignatures s ON s.epoch = c.epoch AND s.index = (place.heads->>'index')::bigint
     GROUP BY s.vkey`,
    [organizationId, epoch],
  );
  const sizes = new Map(rows.map(({ vkey, size }) => [vkey, size]));
  return witnesses.map(({ name, vkey, cosigned_at, silent_since }) => ({
    ...{ name, vkey, size: sizes.get(vkey) ?? null, cosigned_at: cosigned_at?.toISOString() ?? null },
    silent_since: silent_since?.toISOString() ?? null,
  }));
}

function selfCheck({ checked_at, size, first_wrong_index, message }: Check): Output<typeof contract>["self_check"] {
  const result = message === null ? "ok" : "failed";
  return { at: checked_at.toISOString(), result, size, first_wrong_index, message };
}

function keysOf(
  organizationId: string,
  log: Log | undefined,
  { chain, size }: { chain: readonly LogKeyPeriod[]; size: number },
): Pick<Output<typeof contract>, "origin" | "vkey" | "keys"> {
  const publicKey = keyAt(chain, size);
  if (log === undefined || log.host === null || publicKey === null) return { origin: null, vkey: null, keys: [] };
  const origin = organizationOrigin({ organizationId, host: log.host, slot: log.slot, epoch: log.epoch });
  return { origin, vkey: formatVkey(verifierKey(origin, publicKey)), keys: keyChanges(origin, chain, size) };
}
