import { excusedUntil } from "@/lib/audit-logs/check/excused-until";
import { eventWords, type Wrong } from "@/lib/audit-logs/check/wrong";
import { readIds } from "@/lib/audit-logs/partitions/read-ids";
import { ROW_SPAN_MS } from "@/lib/audit-logs/seal/find-seals";
import { auditPool } from "@/lib/db/audit";
import { idAt, idTime } from "@/lib/ids";

/** Time that the sealer has before events count as unsealed, in milliseconds. */
const GRACE_MS = 600_000;
/** Events per page, and per row of the queue. */
const PAGE_EVENTS = 5_000;
const ROW_EVENTS = 500;
/** How long processes of a release without a sealed log may run alongside this one after the upgrade, in milliseconds. */
const UPGRADE_MS = 86_400_000;

/** The result for one organization: done, or the event after which to continue. */
interface UnsealedResult {
  after: string | null;
  isDone: boolean;
  wrong: Wrong | null;
}

/**
 * Queues stored events of more than ten minutes ago that are neither sealed nor queued, and reports them: something other than
 * Sealwatch stored them, unless they are from the day of the upgrade. Continues after the event `after`.
 */
export async function queueUnsealed(
  organizationId: string,
  after: string | null,
  stop: () => boolean,
): Promise<UnsealedResult> {
  const { rows: logs } = await auditPool().query<{ started_at: Date }>(
    `SELECT started_at FROM audit_seal_logs CROSS JOIN audit_seal_installation
     WHERE organization_id = $1 AND import_after IS NULL`,
    [organizationId],
  );
  const upgraded = (logs[0]?.started_at.getTime() ?? 0) + UPGRADE_MS;
  const end = idAt(Date.now() - GRACE_MS);
  let last = after ?? idAt(await excusedUntil(organizationId));
  let wrong: Wrong | null = null;
  while (logs.length > 0 && last < end) {
    if (stop()) return { after: last, isDone: false, wrong };
    const { ids, until } = await readIds(auditPool(), organizationId, last, end, PAGE_EVENTS);
    const unsealed = await unsealedOf(organizationId, ids);
    const added = unsealed.filter((id) => idTime(id) > upgraded);
    const [first] = added;
    if (first !== undefined) wrong ??= { index: null, message: addedWords(first, added.length) };
    for (let from = 0; from < unsealed.length; from += ROW_EVENTS) {
      await auditPool().query("INSERT INTO audit_seal_queue (organization_id, ids) VALUES ($1, $2)", [
        organizationId,
        unsealed.slice(from, from + ROW_EVENTS),
      ]);
    }
    last = until;
  }
  return { after: null, isDone: true, wrong };
}

const addedWords = (id: string, count: number) =>
  `${count === 1 ? "One stored event was" : `${count} stored events were`} added without being sealed: ${eventWords(id)}${count === 1 ? "" : " is the first"}.`;

/** Which of these events, in the order of their ids, are neither sealed nor queued. */
async function unsealedOf(organizationId: string, ids: readonly string[]): Promise<string[]> {
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { rows } = await auditPool().query<{ id: string }>(
    `SELECT id FROM unnest($2::uuid[]) AS page (id)
     EXCEPT SELECT unnest(ids) FROM audit_seals
       WHERE organization_id = $1 AND min_at BETWEEN $3::timestamptz - interval '${ROW_SPAN_MS} milliseconds' AND $4
     EXCEPT SELECT unnest(ids) FROM audit_seal_queue WHERE organization_id = $1
     ORDER BY id`,
    [organizationId, ids, new Date(idTime(first)).toISOString(), new Date(idTime(last)).toISOString()],
  );
  return rows.map(({ id }) => id);
}
