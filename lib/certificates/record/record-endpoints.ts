import type pg from "pg";
import type { LeafSeries } from "@/lib/certificates/judge/judge-alternation";
import type { StoredScan } from "@/lib/certificates/scan/judge-scan";
import { CREATOR_OR_SUCCESSOR } from "@/lib/jobs/creator-or-successor";

/** An endpoint before a check is recorded. */
export interface Known {
  organization_id: string;
  /** The person for whom the organization counts (CREATOR_OR_SUCCESSOR), if any. */
  creator: string | null;
  id: string;
  version: number;
  host: string;
  sni: string;
  status: string;
  reachability: string;
  reachability_since: Date | null;
  failures: number;
  failing_since: Date | null;
  last_checked_at: Date | null;
  /** Whether a process whose clock is ahead recorded the previous check. */
  is_ahead: boolean;
  expected_issuers: string[];
  expected_accounts: string[];
  pins: string[];
  max_lifetime_days: number | null;
  observed: Observed[];
  recent_leaves: LeafSeries | null;
  tls_scan: StoredScan | null;
  tls_scan_due_at: Date | null;
  renewal_due_at: Date | null;
  renewal_leads: number[] | null;
  certificate_since: Date | null;
  leaf: KnownLeaf | null;
  previous: KnownLeaf | null;
}

/** The stored fields of a leaf. */
interface KnownLeaf {
  id: string;
  sha256: string;
  names: string[];
  public_key_sha256: string | null;
  not_before: string;
  not_after: string;
}

/** The result at one address: a certificate or the reason for the failure. */
export type Observed = {
  address: string | null;
  certificate_id: string | null;
  reason: string | null;
};

/** An endpoint after a check; null keeps the value. */
export interface NextRow {
  organization_id: string;
  id: string;
  status: string;
  reachability: string;
  reachability_since: Date | null;
  failures: number;
  failing_since: Date | null;
  certificate_id: string | null;
  previous_certificate_id: string | null;
  certificate_since: Date | null;
  served_chain: string[] | null;
  expected_chain: string[] | null;
  observed: Observed[] | null;
  /** Always written, also null. */
  recent_leaves: LeafSeries | null;
  tls_scan: StoredScan | null;
  /** Always written, also null. */
  tls_scan_due_at: Date | null;
  connection: Record<string, string | number | null> | null;
  last_checked_at: Date;
  /** Seconds from now to the next check, by the database's clock. */
  next_check_in: number;
  reported_at: Date | null;
  /** Always written. */
  renewal_due_at: Date | null;
  renewal_leads: number[] | null;
}

const leafColumns = (of: string) => `CASE WHEN ${of}.id IS NULL THEN NULL ELSE jsonb_build_object('id', ${of}.id,
  'sha256', encode(${of}.sha256, 'hex'), 'names', ${of}.sans, 'public_key_sha256', encode(${of}.public_key_sha256, 'hex'),
  'not_before', ${of}.not_before, 'not_after', ${of}.not_after) END`;

/** Seconds by which the clocks of processes may differ from that of the database. */
const MAX_AHEAD_SECONDS = 5;
/** Seconds after which an endpoint whose check was discarded is checked again at the earliest. */
const DISCARDED_SECONDS = 5;

/** Locks endpoints in a fixed order and reads the fields that their next state depends on. Omits deleted endpoints. */
export async function lockEndpoints(
  client: pg.ClientBase,
  places: readonly { organizationId: string; id: string }[],
): Promise<Map<string, Known>> {
  const { rows } = await client.query<Known>(
    `WITH owners AS MATERIALIZED (
       SELECT o.id, ${CREATOR_OR_SUCCESSOR} AS creator FROM organizations o WHERE o.id = ANY ($1::uuid[])
     )
     SELECT e.organization_id, owners.creator, e.id, e.version, e.host, e.sni, e.status, e.reachability, e.reachability_since, e.failures,
       e.failing_since, e.last_checked_at,
       coalesce(e.last_checked_at > now() + interval '${MAX_AHEAD_SECONDS} seconds', false) AS is_ahead, e.expected_issuers, e.expected_accounts, e.pins, e.max_lifetime_days, e.observed, e.recent_leaves, e.tls_scan, e.tls_scan_due_at, e.renewal_due_at,
       e.renewal_leads, e.certificate_since,
       ${leafColumns("c")} AS leaf, ${leafColumns("p")} AS previous
     FROM unnest($1::uuid[], $2::uuid[]) AS wanted (o, e)
     JOIN certificate_endpoints e ON e.organization_id = wanted.o AND e.id = wanted.e
     JOIN owners ON owners.id = e.organization_id
     LEFT JOIN certificates c ON c.organization_id = e.organization_id AND c.id = e.certificate_id
     LEFT JOIN certificates p ON p.organization_id = e.organization_id AND p.id = e.previous_certificate_id
     ORDER BY e.organization_id, e.id
     FOR UPDATE OF e`,
    [places.map(({ organizationId }) => organizationId), places.map(({ id }) => id)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Whether a check was recorded later than `at`, or at that time. If its time is in the future, every other check is newer. */
export function isOutdated({ last_checked_at, is_ahead }: Known, at: Date): boolean {
  if (last_checked_at === null || last_checked_at < at) return false;
  return !is_ahead || last_checked_at.getTime() === at.getTime();
}

/** Updates the endpoints' state and ends their leases. */
export async function writeEndpoints(client: pg.ClientBase, rows: readonly NextRow[]): Promise<void> {
  await client.query(
    `UPDATE certificate_endpoints e
     SET status = new.status, reachability = new.reachability, reachability_since = new.reachability_since,
       failures = new.failures, failing_since = new.failing_since, certificate_id = coalesce(new.certificate_id, e.certificate_id),
       previous_certificate_id = new.previous_certificate_id, certificate_since = new.certificate_since,
       served_chain = coalesce(new.served_chain, e.served_chain), expected_chain = coalesce(new.expected_chain, e.expected_chain),
       observed = coalesce(new.observed, e.observed), recent_leaves = new.recent_leaves,
       tls_scan = coalesce(new.tls_scan, e.tls_scan), tls_scan_due_at = new.tls_scan_due_at, connection = coalesce(new.connection, e.connection),
       last_checked_at = new.last_checked_at, next_check_at = now() + make_interval(secs => new.next_check_in), leased_until = NULL,
       reported_at = coalesce(new.reported_at, e.reported_at), renewal_due_at = new.renewal_due_at,
       renewal_leads = coalesce(new.renewal_leads, e.renewal_leads)
     FROM jsonb_to_recordset($1) AS new (organization_id uuid, id uuid, status text, reachability text,
       reachability_since timestamptz, failures integer, failing_since timestamptz, certificate_id uuid,
       previous_certificate_id uuid, certificate_since timestamptz, served_chain uuid[], expected_chain uuid[], observed jsonb, recent_leaves jsonb,
       tls_scan jsonb, tls_scan_due_at timestamptz,
       connection jsonb, last_checked_at timestamptz, next_check_in float8, reported_at timestamptz,
       renewal_due_at timestamptz, renewal_leads real[])
     WHERE e.organization_id = new.organization_id AND e.id = new.id`,
    [JSON.stringify(rows)],
  );
}

/** Makes endpoints whose checks were discarded due at their regular time, or soon, instead of after the leases of those checks. */
export async function endLeases(
  client: pg.ClientBase,
  discarded: readonly { organizationId: string; id: string; leasedUntil: Date | null }[],
): Promise<void> {
  await client.query(
    `UPDATE certificate_endpoints e SET leased_until = NULL,
       next_check_at = greatest(e.next_check_at, now() + interval '${DISCARDED_SECONDS} seconds')
     FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS discarded (o, e, until)
     WHERE e.organization_id = discarded.o AND e.id = discarded.e AND e.leased_until = discarded.until`,
    [
      discarded.map(({ organizationId }) => organizationId),
      discarded.map(({ id }) => id),
      discarded.map(({ leasedUntil }) => leasedUntil),
    ],
  );
}
