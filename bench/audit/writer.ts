import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { events } from "@/bench/audit/events";
import { store } from "@/bench/audit/fill";
import { row } from "@/bench/measure";
import { foldDeltas } from "@/lib/audit-logs/count/fold-deltas";
import type { Entry } from "@/lib/audit-logs/write/append";
import { auditPool } from "@/lib/db/audit";

const COUNT = 100_000;
const TABLES = ["audit_events", "audit_bodies", "audit_rollups", "audit_deltas"];

/**
 * Compares the writer (events, bodies, counts, all indexes) with one COPY of the same rows into the same tables. The rows belong
 * to one day in an otherwise unused class; in between they are deleted and vacuumed.
 */
export async function measureWriter(): Promise<void> {
  const pool = auditPool();
  const folder = await mkdtemp(join(tmpdir(), "sealwatch-bench-"));
  await chmod(folder, 0o777);
  const entries: Entry[] = [];
  for (const entry of events(COUNT * 60, Date.now(), undefined, 3)) {
    entries.push({ ...entry, row: { ...entry.row, retention_days: 2555 } });
    if (entries.length === COUNT) break;
  }
  try {
    const before = await walPosition();
    const ours = await store(pool, entries, () => {});
    await foldDeltas();
    const wal = ((await walPosition()) - before) / COUNT;
    for (const table of TABLES) {
      await pool.query(
        `COPY (SELECT * FROM ${table} WHERE retention_days = 2555) TO '${folder}/${table}' (FORMAT binary)`,
      );
      await pool.query(`DELETE FROM ${table} WHERE retention_days = 2555`);
    }
    await pool.query(`VACUUM ${TABLES.join(", ")}`);
    const started = performance.now();
    for (const table of TABLES) await pool.query(`COPY ${table} FROM '${folder}/${table}' (FORMAT binary)`);
    const theirs = COUNT / ((performance.now() - started) / 1000);
    row(
      "writer",
      `${Math.round(ours)} events/s`,
      `COPY ${Math.round(theirs)} events/s`,
      `ratio ${(ours / theirs).toFixed(2)}`,
      `${Math.round(wal)} bytes of WAL per event`,
    );
  } finally {
    for (const table of TABLES) await pool.query(`DELETE FROM ${table} WHERE retention_days = 2555`);
    await rm(folder, { recursive: true });
  }
}

/** Bytes of WAL ever written. */
async function walPosition(): Promise<number> {
  const { rows } = await auditPool().query<{ bytes: string }>("SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes");
  return Number(rows[0]?.bytes);
}
