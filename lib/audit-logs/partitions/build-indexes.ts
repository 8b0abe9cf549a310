import type pg from "pg";
import { config, requireSetting } from "@/lib/config";
import { auditPool } from "@/lib/db/audit";
import { connectClient, destroy } from "@/lib/db/connections";
import { lockClasses } from "@/lib/db/hold-lock";
import { isLocked } from "@/lib/db/short-lock";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/process-singleton";

/** The index of security events, which its migration made `ON ONLY` the table: the worker builds it in older classes and days. */
const INDEX = "audit_events_security_idx";

/** A class or day without its part of the index. */
interface Missing {
  /** As `partitions.audit_events_365_20261121`. */
  table: string;
  isDay: boolean;
  /** The index of the class or table above. */
  parentIndex: string;
  /** Of an index that is built and not attached; null if there is none. */
  isValid: boolean | null;
}

const missingIn = (isDay: boolean) => `
WITH built AS (SELECT indrelid, indexrelid FROM pg_partition_tree('${INDEX}') JOIN pg_index ON indexrelid = relid)
SELECT tree.relid::regclass::text AS "table", isleaf AS "isDay", parent.indexrelid::regclass::text AS "parentIndex",
  (SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(tree.relid::regclass || '_security_idx')) AS "isValid"
FROM pg_partition_tree('audit_events') AS tree JOIN built parent ON parent.indrelid = parentrelid
WHERE isleaf = ${isDay} AND NOT EXISTS (SELECT FROM built WHERE indrelid = tree.relid)
ORDER BY right(tree.relid::regclass::text, 8) DESC`;

/**
 * Worker job: builds the index in the partitions that are older than its migration, newest first, without blocking writers. What is in
 * use waits for the next run.
 */
export async function buildIndexes(signal: AbortSignal): Promise<void> {
  if ((await hasSecurityIndex()) || signal.aborted) return;
  const owner = config().AUDIT_MAINTENANCE_DATABASE_URL ?? requireSetting("AUDIT_DATABASE_URL");
  const client = await connectClient(owner, "migration");
  const stop = () => destroy(client);
  signal.addEventListener("abort", stop);
  try {
    const { rows } = await client.query<{ taken: boolean; rest: string }>(
      `SELECT pg_try_advisory_lock($1, 0) AS taken, substring(pg_get_indexdef('${INDEX}'::regclass) FROM ' USING .*') AS rest`,
      [lockClasses.indexes | 0],
    );
    const [state] = rows;
    if (!state?.taken) return;
    for (const isDay of [false, true]) {
      const { rows: missing } = await client.query<Missing>(missingIn(isDay));
      for (const each of missing) await build(client, each, state.rest);
    }
  } catch (error) {
    if (isLocked(error)) log.warn({ err: error }, "an audit index cannot be built now; it will be built later");
    else if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    await client.end().catch(() => {});
  }
}

async function build(client: pg.Client, { table, isDay, parentIndex, isValid }: Missing, rest: string): Promise<void> {
  const index = `${table}_security_idx`;
  const name = index.replace("partitions.", "");
  const attach = `ALTER INDEX ${parentIndex} ATTACH PARTITION ${index}`;
  if (!isDay) {
    await client.query(`SET lock_timeout = 100; CREATE INDEX ${name} ON ONLY ${table}${rest}; ${attach}`);
    return;
  }
  // Waits for old transactions without blocking others.
  await client.query("SET lock_timeout = 0");
  if (isValid === false) await client.query(`DROP INDEX CONCURRENTLY ${index}`);
  if (isValid !== true) await client.query(`CREATE INDEX CONCURRENTLY ${name} ON ${table}${rest}`);
  await client.query(`SET lock_timeout = 100; ${attach}`);
  log.info({ index: name }, "audit index built");
}

/** Whether security events of every day can be read from their index. */
export async function hasSecurityIndex(): Promise<boolean> {
  const known = processSingleton("audit-logs.security-index", () => ({ isBuilt: false }));
  if (known.isBuilt) return true;
  const { rows } = await auditPool().query<{ valid: boolean }>(
    "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)",
    [INDEX],
  );
  known.isBuilt = rows[0]?.valid === true;
  return known.isBuilt;
}
