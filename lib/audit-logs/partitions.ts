import { auditPool } from "@/lib/db/audit";
import { log } from "@/lib/log";
import { plans } from "@/lib/organizations/plans";

const DAY_MS = 86_400_000;
/** Partitions are made this many days ahead; until then events go to the default partition and move in later. */
const DAYS_AHEAD = 7;

/** Makes the partitions of every retention class from yesterday (UTC) to a week ahead. */
export async function makePartitions(): Promise<void> {
  let made = 0;
  for (const { auditRetentionDays } of Object.values(plans)) {
    for (let ahead = -1; ahead <= DAYS_AHEAD; ahead++) {
      const day = new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10);
      // Two workers may do this at once; the lock makes the second find it done.
      const { rows } = await auditPool().query<{ made: boolean }>(
        "SELECT audit_make_day($1::smallint, $2::date) AS made FROM pg_advisory_xact_lock(hashtextextended('audit_make_day', 0))",
        [auditRetentionDays, day],
      );
      if (rows[0]?.made) made++;
    }
  }
  if (made > 0) log.info({ days: made }, "made audit partitions");
}
