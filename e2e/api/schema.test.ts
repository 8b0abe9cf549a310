import { describe, expect, test } from "vitest";
import { query } from "@/e2e/support/databases";
import { differenceTo } from "@/e2e/support/schema-engine";
import { sharedServer } from "@/e2e/support/shared";

const server = sharedServer();

const listed = async (database: "app" | "audit", text: string) =>
  (await query<{ what: string }>(server, database, text)).map(({ what }) => what).sort();

describe.each(["app", "audit"] as const)("the %s schema", (database) => {
  test("says what its migrations make", async () => {
    expect(await differenceTo(`prisma/${database}`, server.databases[database])).toBe(
      "-- This is an empty migration.\n",
    );
  });
});

describe("what a schema has no words for", () => {
  /** Partial indexes and those of expressions, which Prisma's engine passes over. */
  const INDEXES = `SELECT indexrelid::regclass::text AS what FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    WHERE relnamespace = 'public'::regnamespace AND (indpred IS NOT NULL OR indexprs IS NOT NULL)`;

  test("is one live secret per key, one open finding of a kind, one open incident per monitor, one open alert of a kind, what waits to be sent, unexpected issuances and monitors that are down, in the monitoring database", async () => {
    expect(await listed("app", INDEXES)).toEqual([
      "alerts_live_idx",
      "alerts_open_key",
      "api_key_secrets_live_key",
      "certificate_findings_open_key",
      "issuances_unexpected_idx",
      "notification_deliveries_pending_idx",
      "uptime_incidents_open_key",
      "uptime_monitors_down_idx",
    ]);
  });

  test("is the index of tokens and free text and the partitions, in the audit database", async () => {
    expect(await listed("audit", INDEXES)).toEqual(["audit_events_organization_id_tokens_text_idx"]);
    const partitioned = `SELECT relname || ' by ' || pg_get_partkeydef(oid) AS what FROM pg_class
      WHERE relkind = 'p' AND relnamespace = 'public'::regnamespace`;
    expect(await listed("audit", partitioned)).toEqual([
      "audit_bodies by LIST (retention_days)",
      "audit_events by LIST (retention_days)",
      "audit_rollups by LIST (retention_days)",
    ]);
  });
});
