import { pool } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";
import type { Purpose } from "@/lib/db/purposes";
import { UNSIGNED_LOGS } from "@/lib/db/readiness";

/** The rows that wait, counted up to a million. */
const OUTBOX = `SELECT count(*) FILTER (WHERE refused_at IS NULL)::integer AS waiting, count(refused_at)::integer AS refused,
    coalesce(extract(epoch FROM now() - min(created_at) FILTER (WHERE refused_at IS NULL)), 0)::float8 AS age
  FROM (SELECT created_at, refused_at FROM audit_outbox WHERE complete ORDER BY created_at LIMIT 1000000) AS row`;

const SEALING = `SELECT coalesce(sum(cardinality(ids)), 0)::integer AS waiting,
    coalesce(extract(epoch FROM now() - min(queued_at)), 0)::float8 AS age,
    (SELECT count(*)::integer FROM audit_seal_checks WHERE first_wrong_index IS NOT NULL) AS faulty
  FROM audit_seal_queue`;

/** What waits, and since when the oldest does, in seconds. */
interface Waiting {
  waiting: number;
  age: number;
}

/** Events in the outbox. `refused` will never be delivered. Throws the database's error. */
export async function readOutboxFigures(purpose: Purpose): Promise<Waiting & { refused: number }> {
  const { rows } = await pool(purpose).query<Waiting & { refused: number }>(OUTBOX);
  return rows[0] ?? { waiting: 0, refused: 0, age: 0 };
}

/** Events that are not sealed yet. `faulty` logs differ from what was sealed. Throws the database's error. */
export async function readSealingFigures(purpose: Purpose): Promise<Waiting & { faulty: number }> {
  const { rows } = await auditPool(purpose).query<Waiting & { faulty: number }>(SEALING);
  return rows[0] ?? { waiting: 0, faulty: 0, age: 0 };
}

/** Sealed logs with entries that are not signed yet, of at most a thousand. Throws the database's error. */
export async function readSigningFigures(purpose: Purpose): Promise<Waiting> {
  const { rows } = await auditPool(purpose).query<{ logs: number; age: number }>(UNSIGNED_LOGS);
  const { logs = 0, age = 0 } = rows[0] ?? {};
  return { waiting: logs, age };
}
