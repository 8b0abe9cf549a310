import type pg from "pg";
import { auditPool } from "@/lib/db/audit";
import { callWithShortLock, isLocked } from "@/lib/db/short-lock";
import { idTime } from "@/lib/ids";
import { log } from "@/lib/log";
import { plans } from "@/lib/plans";

const DAY_MS = 86_400_000;
/** Partitions are made this many days ahead; should one be missing all the same, it is made when an event needs it. */
const DAYS_AHEAD = 7;
/** The SQLSTATE of what a role has no privilege for. */
const FORBIDDEN = "42501";

type Database = Pick<pg.ClientBase, "query">;

/** Makes the partitions of every retention class from yesterday (UTC) to a week ahead. */
export async function makePartitions(): Promise<void> {
  await makePartitionsOn(auditPool());
}

/** The same on a connection of the owner's. */
export async function makePartitionsOn(database: Database): Promise<void> {
  let made = 0;
  for (const { auditRetentionDays } of Object.values(plans)) {
    try {
      for (let ahead = -1; ahead <= DAYS_AHEAD; ahead++) {
        if (await makeDay(auditRetentionDays, utcDay(Date.now() + ahead * DAY_MS), database)) made++;
      }
    } catch (error) {
      if (!isLocked(error)) throw error;
      log.warn({ days: auditRetentionDays }, "audit partitions cannot be made now; they will be made later");
    }
  }
  if (made > 0) log.info({ days: made }, "made audit partitions");
}

/** Makes the partitions of one class and UTC day (`2026-11-21`), if they are missing. Returns whether they were. */
export async function makeDay(retentionDays: number, day: string, database: Database = auditPool()): Promise<boolean> {
  return (await callWithShortLock(database, "audit_make_day($1::smallint, $2::date)", [retentionDays, day])) === true;
}

/** Makes whatever partitions these events need. False if this process's role may not, as that of web processes. */
export async function makePartitionsFor(rows: readonly { retention_days: number; id: string }[]): Promise<boolean> {
  const needed = new Set(rows.map((row) => `${row.retention_days} ${utcDay(idTime(row.id))}`));
  try {
    for (const [days = "", day = ""] of [...needed].map((each) => each.split(" "))) await makeDay(Number(days), day);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === FORBIDDEN) return false;
    throw error;
  }
}

/** Whether an insert found no partition: a failed check (23514) of a table without a name, whatever language the message is in. */
export function isPartitionMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, table, constraint } = error as { code?: unknown; table?: unknown; constraint?: unknown };
  return code === "23514" && table !== undefined && constraint === undefined;
}

function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
