import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import { lateIndexes } from "@/lib/db/finish-migrations";

/** The names of those indexes that migrations leave to the worker and that it has not built yet. */
export async function missingIndexes(server: Sealwatch): Promise<string[]> {
  const built = "SELECT FROM pg_index WHERE indexrelid = to_regclass(quote_ident(name)) AND indisvalid";
  const rows = await query<{ name: string }>(
    server,
    "app",
    `SELECT name FROM unnest($1::text[]) AS name WHERE NOT EXISTS (${built})`,
    [Object.keys(lateIndexes)],
  );
  return rows.map(({ name }) => name);
}

/**
 * Fills an organization with `count` endpoints, as after a year of checks: each has its own certificate, a previous one, sightings of
 * both and a finding.
 */
export async function fillWithEndpoints(server: Sealwatch, organizationId: string, count: number): Promise<void> {
  // ANALYZE and an index that the worker builds concurrently would wait for each other.
  await until("the worker has built all indexes", async () => (await missingIndexes(server)).length === 0);
  const id = (kind: string) => `md5($1::text || '${kind}' || n)::uuid`;
  const insert = (text: string) => query(server, "app", text, [organizationId, count]);
  for (const [kind, age] of [
    ["now", 10],
    ["before", 100],
  ] as const) {
    await insert(`INSERT INTO certificates (organization_id, id, sha256, der, subject, common_name, issuer, serial_number, sans, not_before,
        not_after, key_type, key_bits, signature_algorithm, is_ca, served_first, first_seen_at)
      SELECT $1::uuid, ${id(kind)}, sha256(($1::text || '${kind}' || n)::bytea), decode(repeat('ab', 1200), 'hex'), 'CN=host-' || n, 'host-' || n,
        'CN=Issuer', n::text, ARRAY['host-' || n || '.example'], now() - interval '${age} days',
        now() + interval '80 days' - interval '${age} days' + n * interval '1 second', 'ec', 256, 'ecdsa-with-SHA256', false, true,
        now() - interval '${age} days' FROM generate_series(1, $2::integer) AS n`);
  }
  await insert(`INSERT INTO certificate_endpoints (organization_id, id, host, port, protocol, tags, status, reachability, certificate_id,
      served_chain, previous_certificate_id, observed, last_checked_at, next_check_at, created_at, updated_at)
    SELECT $1::uuid, ${id("endpoint")}, 'host-' || n || '.example', 443, 'tls', ARRAY['tag-' || n % 10],
      (ARRAY['critical', 'unreachable', 'warning', 'info', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'])[n % 10 + 1], 'reachable', ${id("now")},
      ARRAY[${id("now")}], ${id("before")}, jsonb_build_array(jsonb_build_object('address', '192.0.2.1', 'certificate_id', ${id("now")})),
      now(), now() + interval '30 days', now(), now() FROM generate_series(1, $2::integer) AS n`);
  for (const [kind, age] of [
    ["now", 10],
    ["before", 100],
  ] as const) {
    await insert(`INSERT INTO certificate_sightings (organization_id, endpoint_id, address, certificate_id, first_seen_at, last_seen_at)
      SELECT $1::uuid, ${id("endpoint")}, '192.0.2.1', ${id(kind)}, now() - interval '${age} days', now() - interval '${age - 1} days'
      FROM generate_series(1, $2::integer) AS n`);
  }
  await insert(`INSERT INTO certificate_findings (organization_id, id, endpoint_id, code, severity, evidence, opened_at, closed_at)
    SELECT $1::uuid, gen_random_uuid(), ${id("endpoint")}, 'expiring', 'warning', '{}', now() - interval '100 days', now() - interval '99 days'
    FROM generate_series(1, $2::integer) AS n`);
  await query(server, "app", "ANALYZE");
}

/** Fills an organization with `count` monitors in all states, none of which is due within a day. */
export async function fillWithMonitors(server: Sealwatch, organizationId: string, count: number): Promise<void> {
  await query(
    server,
    "app",
    `INSERT INTO uptime_monitors (organization_id, id, name, type, target, method, headers, expected_status, follow_redirects,
       interval_seconds, timeout_seconds, failure_threshold, recovery_threshold, tags, status, paused_at, next_check_at, created_at, updated_at)
     SELECT $1::uuid, gen_random_uuid(), 'monitor ' || n, 'tcp', 'monitor.example:443', 'GET', '{}', '{2xx}', true, 86400, 10, 2, 1,
       ARRAY['tag-' || n % 3], (ARRAY['up', 'pending', 'down'])[n % 3 + 1], CASE WHEN n % 5 = 0 THEN now() END,
       now() + interval '1 day', now(), now() FROM generate_series(1, $2::integer) AS n`,
    [organizationId, count],
  );
}
