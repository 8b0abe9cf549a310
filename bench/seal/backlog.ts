import { LARGEST } from "@/bench/audit/events";
import { row } from "@/bench/measure";
import { sealEvents } from "@/lib/audit-logs/seal/sealer";
import { auditPool } from "@/lib/db/audit";

const TABLES = ["audit_seals", "audit_seal_nodes", "audit_seal_logs", "audit_seal_checkpoints", "audit_seal_rounds"];

const sealed = async () => {
  const { rows } = await auditPool().query<{ size: number }>(
    "SELECT coalesce(sum(size), 0)::float8 AS size FROM audit_seal_logs",
  );
  return rows[0]?.size ?? 0;
};

/** Seals what is due in this process, with one connection, and reports events per second. Nothing if nothing is due. */
async function measureSealing(label: string, what: string): Promise<void> {
  const before = await sealed();
  const started = performance.now();
  const { user, system } = process.cpuUsage();
  await sealEvents(new AbortController().signal);
  const seconds = (performance.now() - started) / 1000;
  const events = (await sealed()) - before;
  if (events === 0) return;
  const after = process.cpuUsage();
  const own = (after.user + after.system - user - system) / 1e6;
  row(
    label,
    what,
    `${Math.round(events / seconds)} events/s`,
    `${Math.round(events / own)} per second of the worker's processor time`,
  );
}

/** The distinct events, which the writer has queued: half of them of one organization. */
export async function measureBacklog(label: string): Promise<void> {
  await measureSealing(label, "sealing the queue");
}

/** All events of the largest organization, as an upgrade from a release without the sealed log seals them. */
export async function measureImport(label: string): Promise<void> {
  const { rows } = await auditPool().query<{ size: number; events: number }>(
    `SELECT coalesce((SELECT size FROM audit_seal_logs WHERE organization_id = $1), 0)::float8 AS size,
       (SELECT count(*) FROM audit_events WHERE organization_id = $1)::float8 AS events`,
    [LARGEST],
  );
  const [{ size, events } = { size: 0, events: 0 }] = rows;
  if (size >= events) return;
  await auditPool().query(`TRUNCATE ${TABLES.join(", ")}, audit_seal_queue`);
  await auditPool().query("UPDATE audit_seal_installation SET started_at = now(), imports_listed = false, slots = 0");
  await measureSealing(label, "importing stored events");
  await auditPool().query(`VACUUM (ANALYZE) ${TABLES.join(", ")}`);
}

/** Bytes on disk per event of the largest organization: its rows, and its share of the indexes by its number of rows. */
export async function measureSealBytes(label: string): Promise<void> {
  const own = [LARGEST];
  const parts = await Promise.all(
    TABLES.filter((name) => name !== "audit_seal_rounds").map(async (name) => {
      // A row takes 28 more bytes in its page. Large values lie beside it, with 20 more bytes per 2,000.
      const { rows } = await auditPool().query<{ bytes: number }>(
        `SELECT coalesce(sum(pg_column_size(t.*) * 1.01 + 28) FILTER (WHERE organization_id = $1), 0)::float8
           + pg_indexes_size('${name}') * (count(*) FILTER (WHERE organization_id = $1))::float8 / greatest(count(*), 1) AS bytes
         FROM ${name} t`,
        own,
      );
      return { name, bytes: rows[0]?.bytes ?? 0 };
    }),
  );
  const { rows } = await auditPool().query<{ size: number }>(
    "SELECT size::float8 AS size FROM audit_seal_logs WHERE organization_id = $1",
    own,
  );
  const perEvent = (bytes: number) => (bytes / (rows[0]?.size ?? 0)).toFixed(1);
  const whole = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  const breakdown = parts.map(({ name, bytes }) => `${name} ${perEvent(bytes)}`).join(", ");
  row(label, "bytes per event of the largest organization", perEvent(whole), breakdown);
}
