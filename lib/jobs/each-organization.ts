import { pool } from "@/lib/db/app";
import { earlierClock } from "@/lib/db/clocks";
import { logFailure } from "@/lib/db/outage-log";
import { BEFORE_ANY_ID } from "@/lib/ids";
import { auditRetentionDays } from "@/lib/plans";
import { DAY_MS } from "@/lib/time/units";

const PAGE_SIZE = 1_000;
/** Maximum time for one organization per run, in milliseconds; the next run continues. */
const TURN_MS = 30_000;

/** A job's work for one organization: deletes data that ended before `before`, according to the plan's retention. */
type Work = (organizationId: string, before: Date, stop: () => boolean) => Promise<unknown>;

/** Does the work for every organization in sequence. A failure does not delay the other organizations. */
export async function eachOrganization(signal: AbortSignal, what: string, work: Work): Promise<void> {
  // A clock that has jumped ahead must not delete what has not expired.
  const aheadMs = Date.now() - (await earlierClock(pool()));
  for (let after = BEFORE_ANY_ID; ; ) {
    const { rows } = await pool().query<{ id: string; plan: string }>(
      `SELECT id, plan FROM organizations WHERE id > $1 ORDER BY id LIMIT ${PAGE_SIZE}`,
      [after],
    );
    for (const { id, plan } of rows) {
      if (signal.aborted) return;
      const end = performance.now() + TURN_MS;
      const before = new Date(Date.now() - aheadMs - auditRetentionDays(plan) * DAY_MS);
      try {
        await work(id, before, () => signal.aborted || performance.now() > end);
      } catch (error) {
        logFailure(`${what} could not be deleted; it will be retried`, error, { organization_id: id });
      }
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_SIZE) return;
    after = last.id;
  }
}
