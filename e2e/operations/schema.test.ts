import { beforeAll, describe, expect, test } from "vitest";
import { query } from "@/e2e/support/servers/databases";
import { differenceTo } from "@/e2e/support/servers/schema-engine";
import { sharedServer } from "@/e2e/support/servers/shared";
import { until } from "@/e2e/support/until";
import { lateIndexes } from "@/lib/db/finish-migrations";

const server = sharedServer();

const listed = async (database: "app" | "audit", text: string) =>
  (await query<{ what: string }>(server, database, text)).map(({ what }) => what).sort();

beforeAll(() =>
  until("the worker has built the indexes that migrations leave to it", async () => {
    const built = await listed("app", "SELECT indexrelid::regclass::text AS what FROM pg_index WHERE indisvalid");
    return Object.keys(lateIndexes).every((name) => built.includes(name));
  }),
);

describe.each(["app", "audit"] as const)("the %s schema", (database) => {
  test("equals the result of its migrations", async () => {
    expect(await differenceTo(`prisma/${database}`, server.databases[database])).toBe(
      "-- This is an empty migration.\n",
    );
  });
});

test("every foreign key has an index that begins with its columns: otherwise a deletion reads the whole table for each row", async () => {
  const missing = `SELECT conrelid::regclass || ' ' || pg_get_constraintdef(c.oid) AS what FROM pg_constraint c
    WHERE contype = 'f' AND NOT EXISTS (
      SELECT FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indisvalid
        AND (i.indkey::smallint[])[0:cardinality(c.conkey) - 1] @> c.conkey
        AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) ~ '^\\(\\w+ IS NOT NULL\\)$'))`;
  for (const database of ["app", "audit"] as const) expect(await listed(database, missing)).toEqual([]);
});

describe("objects that Prisma's schema cannot express", () => {
  /** Partial indexes and expression indexes, which Prisma's engine ignores. */
  const INDEXES = `SELECT indexrelid::regclass::text AS what FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    WHERE relnamespace = 'public'::regnamespace AND (indpred IS NOT NULL OR indexprs IS NOT NULL)`;

  test("are partial and computed indexes in the monitoring database", async () => {
    expect(await listed("app", INDEXES)).toEqual([
      "alerts_live_idx",
      "alerts_open_key",
      "alerts_resolved_idx",
      "api_key_secrets_live_key",
      "audit_holds_unsettled_idx",
      "certificate_endpoints_previous_certificate_idx",
      "certificate_findings_awaiting_evaluation_idx",
      "certificate_findings_closed_idx",
      "certificate_findings_open_key",
      "certificate_trust_stores_default_key",
      "certificate_trust_stores_recheck_idx",
      "certificates_added_idx",
      "certificates_authority_subject_idx",
      "certificates_client_auth_idx",
      "certificates_obtained_idx",
      "certificates_unknown_usage_idx",
      "issuances_unaccounted_since_idx",
      "issuances_unexpected_idx",
      "notification_deliveries_channel_due_idx",
      "notification_deliveries_due_idx",
      "notification_deliveries_leased_idx",
      "notification_deliveries_pending_idx",
      "redaction_requests_due_idx",
      "subdomains_natural_name_idx",
      "uptime_incidents_awaiting_evaluation_idx",
      "uptime_incidents_ended_idx",
      "uptime_incidents_open_key",
      "uptime_monitors_down_idx",
      "uptime_monitors_due_idx",
    ]);
  });

  test("are partial and computed indexes and the partitions in the audit database", async () => {
    expect(await listed("audit", INDEXES)).toEqual([
      "audit_events_organization_id_tokens_text_idx",
      "audit_events_security_idx",
      "audit_seal_checkpoints_round_idx",
      "audit_seal_cosignatures_first_at_idx",
      "audit_seal_rounds_unfinished_idx",
    ]);
    const partitioned = `SELECT relname || ' by ' || pg_get_partkeydef(oid) AS what FROM pg_class
      WHERE relkind = 'p' AND relnamespace = 'public'::regnamespace`;
    expect(await listed("audit", partitioned)).toEqual([
      "audit_bodies by LIST (retention_days)",
      "audit_events by LIST (retention_days)",
      "audit_rollups by LIST (retention_days)",
    ]);
  });
});
