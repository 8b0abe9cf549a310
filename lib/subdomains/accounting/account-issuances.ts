import { wakeRules } from "@/lib/alert-schedule/wake";
import { isExpectedIssuer } from "@/lib/certificates/judge/policy";
import { pool } from "@/lib/db/app";
import { logFailure } from "@/lib/db/outage-log";
import type { Authority } from "@/lib/subdomains/accounting/authorities";
import { IS_UNAUTHORIZED } from "@/lib/subdomains/accounting/unauthorized";

/** Issuances per step, so that locks are held only briefly. */
const STEP_SIZE = 500;
const FIRST = "00000000-0000-0000-0000-000000000000";

/** Runs a statement, within the caller's transaction if it has one. */
type Query = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

interface Candidate {
  id: string;
  issuer: string;
  authorized_issuers: string[];
  has_authorized_key: boolean;
  has_own_key: boolean;
  is_own: boolean;
}

/**
 * A handed-in certificate is the one that was issued if its validity and names are the same, unless both keys are known: then only
 * they count. Searches know no other common part.
 */
const CANDIDATES = `
SELECT i.id, i.issuer, d.authorized_issuers, coalesce(encode(i.public_key_sha256, 'hex') = ANY (d.authorized_keys), false) AS has_authorized_key,
  EXISTS (SELECT FROM certificates c WHERE c.organization_id = i.organization_id AND c.public_key_sha256 = i.public_key_sha256
    AND c.served_first) AS has_own_key,
  EXISTS (SELECT FROM certificates c WHERE c.organization_id = i.organization_id AND c.not_after = i.not_after
    AND c.not_before = i.not_before AND c.sans @> i.names AND c.served_first
    AND (i.public_key_sha256 IS NULL OR c.public_key_sha256 IS NULL)) AS is_own
FROM issuances i JOIN domains d ON d.organization_id = i.organization_id AND d.id = i.domain_id
WHERE i.organization_id = $1 AND i.id > $2 AND ($3::uuid IS NULL OR i.domain_id = $3) AND i.authorized_by IS NULL AND i.not_after > now()
  AND d.unauthorized_after_hours IS NOT NULL
ORDER BY i.id LIMIT ${STEP_SIZE}`;

function authorityOf(candidate: Candidate): Authority | null {
  if (candidate.has_own_key) return "key";
  if (candidate.is_own) return "certificate";
  if (candidate.has_authorized_key) return "authorized_key";
  return isExpectedIssuer(candidate.issuer, candidate.authorized_issuers) ? "issuer" : null;
}

/** Accounts for the issuances of an organization, or of one domain, as far as it can. Returns how many. */
export async function accountFor(
  query: Query,
  organizationId: string,
  domainId: string | null,
  signal?: AbortSignal,
): Promise<number> {
  let accounted = 0;
  for (let after = FIRST; signal?.aborted !== true; ) {
    const rows = await query<Candidate>(CANDIDATES, [organizationId, after, domainId]);
    const found = rows.flatMap((row) => {
      const by = authorityOf(row);
      return by === null ? [] : [{ id: row.id, by }];
    });
    if (found.length > 0) {
      await query(
        `UPDATE issuances i SET authorized_by = new.by FROM jsonb_to_recordset($2::jsonb) AS new (id uuid, by text)
         WHERE i.organization_id = $1 AND i.id = new.id AND i.authorized_by IS NULL`,
        [organizationId, JSON.stringify(found)],
      );
      accounted += found.length;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < STEP_SIZE) break;
    after = last.id;
  }
  return accounted;
}

/** Whether the time to account for an issuance ended since the run before the previous one. */
const NEWS = `SELECT EXISTS (SELECT FROM issuances i JOIN domains d ON d.organization_id = i.organization_id AND d.id = i.domain_id
  WHERE i.organization_id = $1 AND ${IS_UNAUTHORIZED}
    AND i.first_seen_at + make_interval(hours => d.unauthorized_after_hours) > now() - interval '3 minutes') AS is_news`;

/** Worker job: accounts for issued certificates by the keys and certificates that were seen or handed in meanwhile. */
export async function accountIssuances(signal: AbortSignal): Promise<void> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT id FROM organizations o
     WHERE EXISTS (SELECT FROM domains WHERE organization_id = o.id AND unauthorized_after_hours IS NOT NULL)`,
  );
  const query: Query = async (text, values) => (await pool().query(text, values)).rows;
  for (const { id } of rows) {
    try {
      const accounted = await accountFor(query, id, null, signal);
      const [{ is_news } = { is_news: false }] = await query<{ is_news: boolean }>(NEWS, [id]);
      if (accounted > 0 || is_news) wakeRules("state", [id]);
    } catch (error) {
      logFailure("issued certificates could not be accounted for; they will be retried", error, {
        organization_id: id,
      });
    }
  }
}
