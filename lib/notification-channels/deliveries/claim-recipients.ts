import { db, pool } from "@/lib/db/app";
import { allowances } from "@/lib/plans";

const CLAIM = `WITH claimed AS (
    INSERT INTO mailed_recipients AS held (organization_id, day, recipients)
    SELECT $1, (now() AT TIME ZONE 'UTC')::date, $2 WHERE $2 <= $3::integer
    ON CONFLICT (organization_id) DO UPDATE
    SET day = excluded.day, recipients = excluded.recipients + CASE WHEN held.day = excluded.day THEN held.recipients ELSE 0 END
    WHERE excluded.recipients + CASE WHEN held.day = excluded.day THEN held.recipients ELSE 0 END <= $3
    RETURNING day
  )
  SELECT (SELECT day::text FROM claimed) AS day,
    1000 * extract(epoch FROM date_trunc('day', now(), 'UTC') + interval '1 day' - now())::float8 AS "tomorrowInMs"`;

const RELEASE = `UPDATE mailed_recipients SET recipients = greatest(0, recipients - $2)
  WHERE organization_id = $1 AND day = $3::date`;

type Claim =
  /** Gives the recipients back, because no mail server took the e-mail. */
  | { release: () => Promise<void> }
  /** Why they may not get it today, and the time until the next day begins in milliseconds. */
  | { refusal: string; tomorrowInMs: number };

/**
 * Counts recipients of an e-mail by the installation's mail server, unless they exceed what the organization's plan allows for a day (UTC).
 * Throws the driver's errors.
 */
export async function claimRecipients(organizationId: string, recipients: number): Promise<Claim> {
  const organization = await db().organization.findUnique({ where: { id: organizationId }, select: { plan: true } });
  const plan = organization?.plan ?? "free";
  const limit = allowances(plan).emailRecipientsPerDay;
  const values = [organizationId, recipients, limit];
  const { rows } = await pool().query<{ day: string | null; tomorrowInMs: number }>(CLAIM, values);
  const { day = null, tomorrowInMs = 0 } = rows[0] ?? {};
  if (day === null) {
    const refusal = `the plan "${plan}" allows ${limit} e-mail recipients per day (UTC), which are used up`;
    return { refusal, tomorrowInMs };
  }
  return { release: async () => void (await pool().query(RELEASE, [organizationId, recipients, day])) };
}
