import type pg from "pg";
import { requireSetting } from "@/lib/config";
import { pool } from "@/lib/db/app";
import { connectClient, destroy } from "@/lib/db/connections";
import { lockClasses } from "@/lib/db/hold-lock";
import { inSteps } from "@/lib/db/in-steps";
import { logFailure } from "@/lib/db/outage-log";
import { log } from "@/lib/log";

/** Indexes of potentially large tables, by name. A migration would block all writers while it builds one. */
export const lateIndexes: Readonly<Record<string, string>> = {
  certificate_endpoints_organization_id_urgency_expires_at_na_idx:
    "certificate_endpoints (organization_id, urgency, expires_at, name_key, id)",
  // Used when a certificate is deleted. Most endpoints have never served another certificate.
  certificate_endpoints_previous_certificate_idx:
    "certificate_endpoints (organization_id, previous_certificate_id) WHERE previous_certificate_id IS NOT NULL",
  certificates_organization_id_serial_number_idx: "certificates (organization_id, serial_number)",
  // Used to find whether an issued certificate has a key of ours.
  certificates_organization_id_public_key_sha256_idx: "certificates (organization_id, public_key_sha256)",
  // Used to find unaccounted issuances.
  issuances_unaccounted_since_idx: "issuances (organization_id, not_before, id) WHERE authorized_by IS NULL",
  certificates_extended_key_usages_idx: "certificates USING gin (extended_key_usages)",
  // The gin index lacks the organization, so a query would read many certificates of others.
  certificates_client_auth_idx: "certificates (organization_id, id) WHERE extended_key_usages @> '{client_auth}'",
  // By a hash, because a name may be too long for an index.
  certificates_authority_subject_idx: "certificates (organization_id, hashtextextended(subject, 0)) WHERE is_ca",
  // Finds submitted certificates that expire soon, among all that have expired.
  certificates_added_idx: "certificates (organization_id, not_after) WHERE added_at IS NOT NULL",
  // Counts the certificates that were handed in within a year.
  certificates_obtained_idx: "certificates (organization_id, obtained_at) WHERE obtained_at IS NOT NULL",
  // Finds the certificates whose usages must still be read.
  certificates_unknown_usage_idx: "certificates (organization_id, id) WHERE NOT is_usage_known",
  certificate_endpoints_organization_id_name_key_id_idx: "certificate_endpoints (organization_id, name_key, id)",
  certificate_endpoints_organization_id_expires_at_id_idx: "certificate_endpoints (organization_id, expires_at, id)",
  certificate_endpoints_renewal_due_idx:
    "certificate_endpoints (organization_id, renewal_due_at, certificate_id, owner)",
  uptime_monitors_organization_id_name_key_id_idx: "uptime_monitors (organization_id, name_key, id)",
  api_keys_organization_id_name_key_id_idx: "api_keys (organization_id, name_key, id)",
  certificates_organization_id_name_key_id_idx: "certificates (organization_id, name_key, id)",
  // Finds the alerts that may be reopened, and those to be deleted.
  alerts_resolved_idx: "alerts (organization_id, resolved_at) WHERE resolved_at IS NOT NULL",
  alerts_organization_id_subject_key_id_idx: "alerts (organization_id, subject_key, id)",
  uptime_monitors_organization_id_urgency_name_key_id_idx: "uptime_monitors (organization_id, urgency, name_key, id)",
  certificate_endpoints_organization_id_agent_id_idx: "certificate_endpoints (organization_id, agent_id)",
  subdomains_natural_name_idx: "subdomains (organization_id, natural_key(name), id)",
  // Finds the incidents of a period, and those to be deleted.
  uptime_incidents_ended_idx: "uptime_incidents (organization_id, ended_at) WHERE ended_at IS NOT NULL",
  // Paused monitors are never due, and would be read before all others.
  uptime_monitors_due_idx: "uptime_monitors (organization_id, next_check_at) WHERE paused_at IS NULL",
  // Used to lease messages: what is due per organization and per channel, and what is being sent.
  notification_deliveries_due_idx:
    "notification_deliveries (organization_id, next_attempt_at) WHERE status = 'pending'",
  notification_deliveries_channel_due_idx:
    "notification_deliveries (organization_id, channel_id, next_attempt_at, id) WHERE status = 'pending'",
  notification_deliveries_leased_idx:
    "notification_deliveries (organization_id, channel_id) WHERE leased_until IS NOT NULL",
  uptime_monitors_organization_id_trust_store_id_idx: "uptime_monitors (organization_id, trust_store_id)",
  certificate_findings_organization_id_code_id_idx: "certificate_findings (organization_id, code, id)",
  // Used to delete what is older than the retention. Checks do not change these times again.
  certificate_findings_closed_idx: "certificate_findings (organization_id, closed_at) WHERE closed_at IS NOT NULL",
  certificate_sightings_organization_id_first_seen_at_idx: "certificate_sightings (organization_id, first_seen_at)",
  certificates_organization_id_first_seen_at_idx: "certificates (organization_id, first_seen_at)",
};

/** Indexes of earlier releases that the indexes above replace. */
const FORMER_INDEXES = [
  "certificate_endpoints_organization_id_urgency_expires_at_ho_idx",
  "uptime_monitors_organization_id_urgency_name_idx",
  "uptime_monitors_organization_id_next_check_at_idx",
  "issuances_unaccounted_idx",
];

/** Columns that lists are sorted by. A trigger sets them on the next write to rows that still have the default. */
const SORTED = [
  { table: "certificate_endpoints", column: "urgency", unfilled: "9" },
  { table: "uptime_monitors", column: "urgency", unfilled: "9" },
  { table: "certificate_endpoints", column: "name_key", unfilled: "''" },
  { table: "uptime_monitors", column: "name_key", unfilled: "''" },
  { table: "api_keys", column: "name_key", unfilled: "''" },
  { table: "certificates", column: "name_key", unfilled: "''" },
  { table: "alerts", column: "subject_key", unfilled: "''" },
] as const;

/** Worker job: builds indexes and fills columns that migrations left out. `fills` fill the columns whose values need code. */
export async function finishMigrations(
  signal: AbortSignal,
  fills: readonly ((signal: AbortSignal) => Promise<void>)[] = [],
): Promise<void> {
  await buildIndexes(signal);
  for (const column of SORTED) await fill(column, signal);
  for (const fillMore of fills) await fillMore(signal);
}

async function buildIndexes(signal: AbortSignal): Promise<void> {
  const { rows } = await pool().query<{ name: string; valid: boolean | null; former: boolean }>(
    `SELECT name, indisvalid AS valid, name = ANY ($2) AS former FROM unnest($1::text[] || $2::text[]) AS name
     LEFT JOIN pg_index ON indexrelid = to_regclass(quote_ident(name))
     WHERE CASE WHEN name = ANY ($2) THEN indexrelid IS NOT NULL ELSE indisvalid IS NOT TRUE END`,
    [Object.keys(lateIndexes), FORMER_INDEXES],
  );
  if (rows.length === 0 || signal.aborted) return;
  const client = await connectClient(requireSetting("DATABASE_URL"), "migration");
  // PostgreSQL continues the current index build; the lock is held until it ends.
  const stop = () => destroy(client);
  signal.addEventListener("abort", stop);
  try {
    if (!(await takeLock(client))) return;
    // Waits for old transactions without blocking others.
    await client.query("SET lock_timeout = 0");
    // Drop replaced indexes last, after their replacements exist.
    for (const { name, valid, former } of rows.toSorted((one, other) => Number(one.former) - Number(other.former))) {
      if (former || valid === false) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      if (former) continue;
      await client.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${lateIndexes[name]}`);
      log.info({ index: name }, "index built");
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    await client.end().catch(() => {});
  }
}

async function takeLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1, 0) AS taken", [
    lockClasses.indexes | 0,
  ]);
  return rows[0]?.taken === true;
}

async function fill({ table, column, unfilled }: (typeof SORTED)[number], signal: AbortSignal): Promise<void> {
  const isUnfilled = `${column} = ${unfilled}`;
  const { rows } = await pool().query<{ id: string }>(
    `SELECT id FROM organizations o WHERE EXISTS (SELECT FROM ${table} WHERE organization_id = o.id AND ${isUnfilled})`,
  );
  for (const { id } of rows) {
    try {
      await inSteps(
        async (size) => {
          const { rowCount } = await pool().query(
            `UPDATE ${table} SET ${column} = ${column} WHERE organization_id = $1 AND id = ANY (ARRAY(
               SELECT id FROM ${table} WHERE organization_id = $1 AND ${isUnfilled} LIMIT ${size} FOR UPDATE SKIP LOCKED))`,
            [id],
          );
          return rowCount === size;
        },
        () => signal.aborted,
      );
    } catch (error) {
      logFailure("a sorting column could not be filled; it will be retried", error, {
        table,
        column,
        organization_id: id,
      });
    }
  }
}
