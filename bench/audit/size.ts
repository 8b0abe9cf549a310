import { row } from "@/bench/measure";
import { auditPool } from "@/lib/db/audit";

/** Measures bytes on disk per event: rows, indexes, bodies, counts. */
export async function measureSize(label: string): Promise<void> {
  const { rows } = await auditPool().query<{ name: string; size: string; events: string }>(
    `SELECT name, sum(pg_total_relation_size(relid)) AS size, (SELECT count(*) FROM audit_events) AS events
     FROM (VALUES ('audit_events'), ('audit_bodies'), ('audit_rollups')) AS tables (name), pg_partition_tree(name::regclass)
     GROUP BY name
     UNION ALL
     SELECT 'of which indexes of events', sum(pg_indexes_size(relid)), (SELECT count(*) FROM audit_events)
     FROM pg_partition_tree('audit_events')`,
  );
  const bytes = rows.map(({ name, size, events }) => `${name} ${Math.round(Number(size) / Number(events))}`);
  row(label, "bytes on disk per event", bytes.join(", "));
}
