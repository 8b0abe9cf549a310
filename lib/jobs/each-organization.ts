import { pool } from "@/lib/db/app";
import { logFailure } from "@/lib/db/outage-log";
import { auditRetentionDays } from "@/lib/plans";

const DAY_MS = 86_400_000;
const PAGE = 1_000;
/** How long one organization may take of a run: then it is another's turn, and the next run goes on. */
const TURN_MS = 30_000;

/** What a job does for one organization: what ended before `before` is past its plan's days. */
type Work = (organizationId: string, before: Date, stop: () => boolean) => Promise<unknown>;

/** Does the work for every organization, one after the other. One that fails keeps no other waiting. */
export async function eachOrganization(signal: AbortSignal, what: string, work: Work): Promise<void> {
  for (let after = "00000000-0000-0000-0000-000000000000"; ; ) {
    const { rows } = await pool().query<{ id: string; plan: string }>(
      `SELECT id, plan FROM organizations WHERE id > $1 ORDER BY id LIMIT ${PAGE}`,
      [after],
    );
    for (const { id, plan } of rows) {
      if (signal.aborted) return;
      const end = performance.now() + TURN_MS;
      const before = new Date(Date.now() - auditRetentionDays(plan) * DAY_MS);
      try {
        await work(id, before, () => signal.aborted || performance.now() > end);
      } catch (error) {
        logFailure(`${what} could not be deleted; it will be tried again`, error, { organization_id: id });
      }
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.id;
  }
}
