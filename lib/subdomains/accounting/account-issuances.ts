import { wakeRules } from "@/lib/alert-schedule/wake";
import { isExpectedIssuer } from "@/lib/certificates/judge/policy";
import { pool } from "@/lib/db/app";
import { withTransaction } from "@/lib/db/connections";
import { logFailure } from "@/lib/db/outage-log";
import { BEFORE_ANY_ID } from "@/lib/ids";
import { limitedSignal } from "@/lib/limited-signal";
import { processSingleton } from "@/lib/process-singleton";
import type { Authority } from "@/lib/subdomains/accounting/authorities";
import { ACCOUNTED_FROM, IS_UNAUTHORIZED } from "@/lib/subdomains/accounting/unauthorized";
import { HOUR_MS } from "@/lib/time/units";

/** Issuances per step, so that locks are held only briefly. */
const STEP_SIZE = 500;
/** Milliseconds per run and organization, so that one with very many issuances does not delay those of others. */
const SHARE_MS = 10_000;
/** Days that a public certificate is valid at most. */
const VALID_DAYS = 400;

/** Runs a statement, within the caller's transaction if it has one. */
type Query = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

interface Candidate {
  id: string;
  not_before: Date;
  issuer: string;
  authorized_by: string | null;
  authorized_issuers: string[];
  has_authorized_key: boolean;
  has_own_key: boolean;
  is_own: boolean;
}

/** SQL: whether a certificate `c` is the organization's own. One that was only seen on a connection may be an attacker's. */
export const IS_HANDED_IN = "(c.obtained_at IS NOT NULL OR c.added_at IS NOT NULL)";

/**
 * A handed-in certificate is the one that was issued if its validity and names are the same, unless both keys are known: then only
 * they count. Searches know no other common part.
 */
const candidates = (condition: string, order: string) => `
SELECT i.id, i.not_before, i.issuer, i.authorized_by, d.authorized_issuers,
  coalesce(encode(i.public_key_sha256, 'hex') = ANY (d.authorized_keys), false) AS has_authorized_key,
  EXISTS (SELECT FROM certificates c WHERE c.organization_id = i.organization_id AND c.public_key_sha256 = i.public_key_sha256
    AND ${IS_HANDED_IN}) AS has_own_key,
  EXISTS (SELECT FROM certificates c WHERE c.organization_id = i.organization_id AND c.not_after = i.not_after
    AND c.not_before = i.not_before AND c.sans @> i.names AND ${IS_HANDED_IN}
    AND (i.public_key_sha256 IS NULL OR c.public_key_sha256 IS NULL)) AS is_own
FROM issuances i JOIN domains d ON d.organization_id = i.organization_id AND d.id = i.domain_id
WHERE i.organization_id = $1 AND ${condition} AND i.not_after > now() AND d.unauthorized_after_hours IS NOT NULL
ORDER BY ${order} LIMIT ${STEP_SIZE}`;
const UNACCOUNTED = candidates("i.authorized_by IS NULL AND (i.not_before, i.id) > ($2, $3)", "i.not_before, i.id");
/** Of a domain, also those that its issuers and keys accounted for. */
const ANEW = candidates(
  "i.id > $2 AND i.domain_id = $3 AND (i.authorized_by IS NULL OR i.authorized_by IN ('issuer', 'authorized_key'))",
  "i.id",
);
/** When the oldest issuance began that can be unauthorized. */
const OLDEST = `(SELECT min(${ACCOUNTED_FROM}) FROM domains d WHERE d.organization_id = $1 AND d.unauthorized_after_hours IS NOT NULL)`;

function authorityOf(candidate: Candidate): Authority | null {
  if (candidate.has_own_key) return "key";
  if (candidate.is_own) return "certificate";
  if (candidate.has_authorized_key) return "authorized_key";
  return isExpectedIssuer(candidate.issuer, candidate.authorized_issuers) ? "issuer" : null;
}

interface Step {
  changed: number;
  last: Candidate | null;
}

/** Accounts for some issuances. Returns how many it did so otherwise than before, and the last of them to go on after; null at the end. */
async function takeStep(query: Query, sql: string, values: unknown[]): Promise<Step> {
  const rows = await query<Candidate>(sql, values);
  const changes = rows.flatMap((row) => {
    const by = authorityOf(row);
    return by === row.authorized_by ? [] : [{ id: row.id, by, was: row.authorized_by }];
  });
  if (changes.length > 0) {
    await query(
      `UPDATE issuances i SET authorized_by = new.by, authorized_name = NULL
       FROM jsonb_to_recordset($2::jsonb) AS new (id uuid, by text, was text)
       WHERE i.organization_id = $1 AND i.id = new.id AND i.authorized_by IS NOT DISTINCT FROM new.was`,
      [values[0], JSON.stringify(changes)],
    );
  }
  return { changed: changes.length, last: rows.length < STEP_SIZE ? null : (rows.at(-1) ?? null) };
}

interface Place {
  notBefore: string;
  id: string;
}

interface Pass {
  /** Where the pass stopped because the share of time was used up; null if it ended. */
  place: Place | null;
  /** The hour in which the last pass over all issuances began. */
  hour: number;
}

/** The last pass of each organization. */
function passes(): Map<string, Pass> {
  return processSingleton("subdomains.accounting-passes", () => new Map());
}

/**
 * Continues the last pass or begins the next one. The first of an hour is over all issuances. The others leave out those that are
 * too old for a finding, or older than certificates are valid: most are expired, and nobody waits for them.
 */
async function nextPass(query: Query, organizationId: string): Promise<Pass & { place: Place }> {
  const last = passes().get(organizationId);
  const hour = Math.floor(Date.now() / HOUR_MS);
  if (last?.place) return { ...last, place: last.place };
  if (last?.hour !== hour) return { place: { notBefore: "-infinity", id: BEFORE_ANY_ID }, hour };
  const [row] = await query<{ start: Date }>(
    `SELECT greatest(${OLDEST}, now() - interval '${VALID_DAYS} days') AS start`,
    [organizationId],
  );
  return { place: { notBefore: row?.start.toISOString() ?? "infinity", id: BEFORE_ANY_ID }, hour };
}

/** Accounts for the issuances of an organization that nobody accounts for, until `signal` aborts. Returns how many. */
async function accountFor(query: Query, organizationId: string, signal: AbortSignal): Promise<number> {
  let accounted = 0;
  const { place: start, hour } = await nextPass(query, organizationId);
  // Also if it fails: the passes until the next hour do not need what it reads.
  passes().set(organizationId, { place: null, hour });
  let place: Place | null = start;
  while (place !== null && !signal.aborted) {
    const { changed, last }: Step = await takeStep(query, UNACCOUNTED, [organizationId, place.notBefore, place.id]);
    accounted += changed;
    place = last && { notBefore: last.not_before.toISOString(), id: last.id };
  }
  passes().set(organizationId, { place, hour });
  return accounted;
}

/**
 * Accounts again for the issuances of a domain whose issuers or keys changed, until `signal` aborts; the worker continues. An issuance
 * goes from one account to the next, so that none is nobody's meanwhile. Returns how many changed.
 */
export async function accountAgain(organizationId: string, domainId: string, signal: AbortSignal): Promise<number> {
  for (let changed = 0; ; ) {
    const step = await withTransaction(pool(), async (client) => {
      const query: Query = async (text, values) => (await client.query(text, values)).rows;
      // Not while somebody changes the domain.
      const [domain] = await query<{ account_after: string | null }>(
        "SELECT account_after FROM domains WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE",
        [organizationId, domainId],
      );
      if (domain === undefined || domain.account_after === null) return null;
      const taken = await takeStep(query, ANEW, [organizationId, domain.account_after, domainId]);
      const place = "UPDATE domains SET account_after = $3 WHERE organization_id = $1 AND id = $2";
      await query(place, [organizationId, domainId, taken.last?.id ?? null]);
      return taken;
    });
    changed += step?.changed ?? 0;
    if (step === null || step.last === null || signal.aborted) return changed;
  }
}

/** Whether the time to account for an issuance ended since the run before the previous one. */
const NEWS = `SELECT EXISTS (SELECT FROM issuances i JOIN domains d ON d.organization_id = i.organization_id AND d.id = i.domain_id
  WHERE i.organization_id = $1 AND ${IS_UNAUTHORIZED} AND i.not_before >= ${OLDEST}
    AND i.first_seen_at + make_interval(hours => d.unauthorized_after_hours) > now() - interval '3 minutes') AS is_news`;

async function accountForOrganization(id: string, signal: AbortSignal): Promise<void> {
  const query: Query = async (text, values) => (await pool().query(text, values)).rows;
  const { signal: share, end } = limitedSignal(signal, SHARE_MS);
  let changed = 0;
  try {
    const changedDomains = await query<{ id: string }>(
      "SELECT id FROM domains WHERE organization_id = $1 AND account_after IS NOT NULL ORDER BY id",
      [id],
    );
    for (const domain of changedDomains) if (!share.aborted) changed += await accountAgain(id, domain.id, share);
    changed += await accountFor(query, id, share);
  } finally {
    end();
  }
  const [{ is_news } = { is_news: false }] = await query<{ is_news: boolean }>(NEWS, [id]);
  if (changed > 0 || is_news) wakeRules("state", [id]);
}

/** Worker job: accounts for issued certificates by the keys and certificates that were handed in meanwhile. */
export async function accountIssuances(signal: AbortSignal): Promise<void> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT id FROM organizations o
     WHERE EXISTS (SELECT FROM domains WHERE organization_id = o.id AND unauthorized_after_hours IS NOT NULL)`,
  );
  for (const { id } of rows) {
    if (signal.aborted) return;
    try {
      await accountForOrganization(id, signal);
    } catch (error) {
      logFailure("issued certificates could not be accounted for; they will be retried", error, {
        organization_id: id,
      });
    }
  }
}
