import type pg from "pg";
import { newId } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/units";

/** The retention class of the plan `free`, and days in it that have not expired. */
const CLASS = 30;
const DAYS = 20;

/**
 * Stores events in the audit database as of the last days, of organizations that it creates in the monitoring database. A day is filled
 * before it is attached, so that its indexes are built at once. Returns the organizations.
 */
export async function fillEvents(
  { app, audit }: { app: pg.Client; audit: pg.Client },
  { organizations, events }: { organizations: number; events: number },
): Promise<string[]> {
  const ids = Array.from({ length: organizations }, () => newId());
  await app.query(
    "INSERT INTO organizations (id, name, slug, created_at) SELECT id, 'Filled', 'filled-' || id, now() FROM unnest($1::uuid[]) AS id",
    [ids],
  );
  await audit.query("SET maintenance_work_mem = '1GB'; SET synchronous_commit = off");
  const perDay = events / DAYS;
  for (let ago = 2; ago < DAYS + 2; ago++) {
    const start = Math.floor(Date.now() / DAY_MS) * DAY_MS - ago * DAY_MS;
    const day = new Date(start).toISOString().slice(0, 10);
    const name = `partitions.audit_events_${CLASS}_${day.replaceAll("-", "")}`;
    await audit.query("BEGIN");
    await audit.query(`CREATE TABLE ${name} (LIKE public.audit_events INCLUDING DEFAULTS)`);
    await audit.query(
      `INSERT INTO ${name} (organization_id, retention_days, id, occurred_at, method, path, route, status_code, response_time_us,
         auth_type, ip_address, user_agent, flags, is_security_event, action, tokens)
       SELECT ($1::uuid[])[1 + n % cardinality($1::uuid[])], ${CLASS}, (lpad(to_hex(at), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid,
         to_timestamp(at / 1000.0), 'GET', '/api/v1/certificates/' || n, '/api/v1/certificates/{id}', 200, n, 'anonymous', '10.0.0.1',
         'curl/8.5.0', '{}', false, 'certificate.get', '{m:GET}'
       FROM generate_series(1, $2::integer) AS n, LATERAL (SELECT $3::bigint + n::bigint * ${DAY_MS} / ($2 + 1) AS at) AS times`,
      [ids, perDay, start],
    );
    await audit.query(
      `ALTER TABLE partitions.audit_events_${CLASS} ATTACH PARTITION ${name}
       FOR VALUES FROM ('${await idAt(audit, start)}') TO ('${await idAt(audit, start + DAY_MS)}')`,
    );
    await audit.query("COMMIT");
    await audit.query(`SELECT audit_make_day(${CLASS}::smallint, $1::date)`, [day]);
  }
  return ids;
}

async function idAt(audit: pg.Client, time: number): Promise<string> {
  const { rows } = await audit.query<{ id: string }>("SELECT audit_id_at(to_timestamp($1 / 1000.0)) AS id", [time]);
  return rows[0]?.id ?? "";
}
