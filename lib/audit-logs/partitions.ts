import { auditPool } from "@/lib/db/audit";
import { idTime } from "@/lib/ids";
import { log } from "@/lib/log";
import { plans } from "@/lib/organizations/plans";

const DAY_MS = 86_400_000;
/** Partitions are made this many days ahead; should one be missing all the same, the writer makes it. */
const DAYS_AHEAD = 7;

/** Makes the partitions of every retention class from yesterday (UTC) to a week ahead. */
export async function makePartitions(): Promise<void> {
  let made = 0;
  for (const { auditRetentionDays } of Object.values(plans)) {
    for (let ahead = -1; ahead <= DAYS_AHEAD; ahead++) {
      const day = utcDay(Date.now() + ahead * DAY_MS);
      if (await makeDay(auditRetentionDays, day)) made++;
    }
  }
  if (made > 0) log.info({ days: made }, "made audit partitions");
}

/** Makes the partitions of one class and UTC day (`2026-11-21`), if they are missing. Returns whether they were. */
export async function makeDay(retentionDays: number, day: string): Promise<boolean> {
  const { rows } = await auditPool().query<{ made: boolean }>("SELECT audit_make_day($1::smallint, $2::date) AS made", [
    retentionDays,
    day,
  ]);
  return rows[0]?.made === true;
}

/** Makes whatever partitions these events need. */
export async function makePartitionsFor(rows: readonly { retention_days: number; id: string }[]): Promise<void> {
  const needed = new Set(rows.map((row) => `${row.retention_days} ${utcDay(idTime(row.id))}`));
  for (const [days = "", day = ""] of [...needed].map((each) => each.split(" "))) await makeDay(Number(days), day);
}

/** Whether an insert found no partition: the one check that these tables have (23514), whatever language the message is in. */
export function isPartitionMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "23514";
}

function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
