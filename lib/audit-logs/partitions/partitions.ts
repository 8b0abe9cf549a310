import type pg from "pg";
import { auditPool } from "@/lib/db/audit";
import { callWithShortLock, isLocked } from "@/lib/db/short-lock";
import { idTime } from "@/lib/ids";
import { log } from "@/lib/log";
import { plans } from "@/lib/plans";
import { utcDay } from "@/lib/text/dates";
import { DAY_MS } from "@/lib/time/units";

/** Days for which partitions are created in advance; a missing partition is also created when an event requires it. */
const DAYS_AHEAD = 7;
/** SQLSTATE of insufficient privileges. */
const INSUFFICIENT_PRIVILEGE = "42501";

type Database = Pick<pg.ClientBase, "query">;

/** Creates the partitions of every retention class from yesterday (UTC) to one week ahead, on a connection of the owner. */
export async function createPartitions(database: Database): Promise<void> {
  let made = 0;
  for (const { auditRetentionDays } of Object.values(plans)) {
    try {
      for (let ahead = -1; ahead <= DAYS_AHEAD; ahead++) {
        if (await createDayPartitions(auditRetentionDays, utcDay(Date.now() + ahead * DAY_MS), database)) made++;
      }
    } catch (error) {
      if (!isLocked(error)) throw error;
      log.warn({ days: auditRetentionDays }, "audit partitions cannot be created now; they will be created later");
    }
  }
  if (made > 0) log.info({ days: made }, "created audit partitions");
}

/** Creates the partitions of one class and UTC day (`2026-11-21`) if they are missing. Returns whether they were missing. */
export async function createDayPartitions(
  retentionDays: number,
  day: string,
  database: Database = auditPool(),
): Promise<boolean> {
  return (await callWithShortLock(database, "audit_make_day($1::smallint, $2::date)", [retentionDays, day])) === true;
}

/** Creates the partitions that these events require. False if the process's role lacks the privilege, as in web processes. */
export async function createPartitionsFor(rows: readonly { retention_days: number; id: string }[]): Promise<boolean> {
  const needed = new Set(rows.map((row) => `${row.retention_days} ${utcDay(idTime(row.id))}`));
  try {
    for (const [days = "", day = ""] of [...needed].map((each) => each.split(" ")))
      await createDayPartitions(Number(days), day);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === INSUFFICIENT_PRIVILEGE) return false;
    throw error;
  }
}

/** Whether an insert found no partition: a failed check (23514) on a table without a name, regardless of the message's language. */
export function isPartitionMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, table, constraint } = error as { code?: unknown; table?: unknown; constraint?: unknown };
  return code === "23514" && table !== undefined && constraint === undefined;
}
