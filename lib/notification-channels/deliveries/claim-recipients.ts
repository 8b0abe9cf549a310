import { db, pool } from "@/lib/db/app";
import { allowances } from "@/lib/plans";

const CLAIM = `INSERT INTO mailed_recipients AS held (organization_id, day, recipients)
  SELECT $1, (now() AT TIME ZONE 'UTC')::date, $2 WHERE $2 <= $3::integer
  ON CONFLICT (organization_id) DO UPDATE
  SET day = excluded.day, recipients = excluded.recipients + CASE WHEN held.day = excluded.day THEN held.recipients ELSE 0 END
  WHERE excluded.recipients + CASE WHEN held.day = excluded.day THEN held.recipients ELSE 0 END <= $3`;

/**
 * Counts recipients of an e-mail by the installation's mail server, unless they exceed what the organization's plan allows for a day (UTC).
 * Returns why they may not get it, or null.
 */
export async function claimRecipients(organizationId: string, recipients: number): Promise<string | null> {
  const organization = await db().organization.findUnique({ where: { id: organizationId }, select: { plan: true } });
  const plan = organization?.plan ?? "free";
  const limit = allowances(plan).emailRecipientsPerDay;
  const { rowCount } = await pool().query(CLAIM, [organizationId, recipients, limit]);
  return rowCount === 1
    ? null
    : `the plan "${plan}" allows ${limit} e-mail recipients per day (UTC), which are used up`;
}
