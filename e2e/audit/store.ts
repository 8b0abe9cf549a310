import pg from "pg";
import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { append } from "@/lib/audit-logs/write/append";
import { auditPool } from "@/lib/db/audit";
import { type Principal, systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";

/**
 * A principal of an organization that exists only in its events, so that its log has only the test's events. Its plan is
 * the smallest, with 30 days.
 */
export function reader(): Principal {
  return systemPrincipal(newId());
}

/** Stores events like the writer, in batches. */
export async function store(rows: readonly AuditRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 200) {
    await append(
      auditPool(),
      rows.slice(from, from + 200).map((row) => ({ row, body: null })),
    );
  }
}

/** Stores an event in a transaction that stays open until `commit` is called. */
export async function storeHeld(server: Sealwatch, row: AuditRow): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: server.databases.audit });
  await client.connect();
  await client.query("BEGIN");
  await append(client as unknown as pg.Pool, [{ row, body: null }]);
  return async () => {
    await client.query("COMMIT");
    await client.end();
  };
}

/** Creates many events inside the database, in one transaction: one every `everyMs` from `from` on, with numbered paths. */
export async function storeMany(
  server: Sealwatch,
  organizationId: string,
  { count, path, from, everyMs }: { count: number; path: string; from: number; everyMs: number },
): Promise<void> {
  await query(
    server,
    "audit",
    `INSERT INTO audit_events (organization_id, retention_days, id, occurred_at, method, path, route, status_code, response_time_us,
       auth_type, ip_address, user_agent, flags, is_security_event, action, tokens)
     SELECT $1, 30, (lpad(to_hex(at), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid, to_timestamp(at / 1000.0), 'GET',
       $2::text || n, '/api/v1/certificates/{id}', 200, n, 'anonymous', '10.0.0.1', 'curl/8.5.0', '{}', false, 'certificate.get',
       ARRAY['P:' || $2::text]
     FROM generate_series(1, $3::integer) AS n, LATERAL (SELECT $4::bigint + n * $5::bigint AS at) AS times`,
    [organizationId, path, count, from, everyMs],
  );
}
