import { expect } from "vitest";
import type { Environment } from "@/e2e/faults/environment";
import { newMessage } from "@/e2e/faults/matrix/fault-table";
import type { Give, Work } from "@/e2e/faults/work";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { arrange } from "@/e2e/support/stand-ins/small-internet";
import type { Logged } from "@/e2e/support/stand-ins/transparency";
import { until } from "@/e2e/support/until";
import { newId } from "@/lib/ids";
import { LEASE_SECONDS } from "@/lib/subdomains/record-found";

const SOME = 5;

/** The ids of an alert's messages; a repetition has the same id. */
function messagesAbout({ receiver }: Environment, alertId: string): string[] {
  const sent = receiver.received.filter(({ body }) => body.includes(alertId) && body.includes('"alert.firing"'));
  return sent.map(({ headers }) => String(headers["webhook-id"]));
}

async function alertsAbout({ server, tenant }: Environment, subjectId: string): Promise<string[]> {
  const text = "SELECT id FROM alerts WHERE organization_id = $1 AND subject_id = $2";
  return (await query<{ id: string }>(server, "app", text, [tenant.id, subjectId])).map(({ id }) => id);
}

/** Checks that rules opened exactly one alert about a subject and sent one message. */
function alertAbout(environment: Environment, subjectId: string): Work {
  return {
    isDone: async () => (await alertsAbout(environment, subjectId)).length > 0,
    async verify() {
      const [alert = "", ...others] = await alertsAbout(environment, subjectId);
      expect(others).toEqual([]);
      await until("it is notified", () => messagesAbout(environment, alert).length > 0);
      expect(new Set(messagesAbout(environment, alert)).size).toBe(1);
    },
  };
}

async function evaluateNow({ server, tenant }: Environment): Promise<void> {
  await query(server, "app", "UPDATE alert_evaluations SET next_at = now() WHERE organization_id = $1", [tenant.id]);
}

/** All endpoints serve a new certificate. */
export const checkCertificates: Give = async ({ server, tenant, tls }) => {
  const sha256 = await tls.renew();
  await query(server, "app", "UPDATE certificate_endpoints SET next_check_at = now() WHERE organization_id = $1", [
    tenant.id,
  ]);
  const seenAt = `SELECT FROM certificate_sightings s JOIN certificates c ON c.organization_id = s.organization_id AND c.id = s.certificate_id
    WHERE s.organization_id = $1 AND c.sha256 = decode($2, 'hex')`;
  return {
    isDone: async () => (await query(server, "app", seenAt, [tenant.id, sha256])).length === SOME,
    async verify() {
      expect(await query(server, "app", seenAt, [tenant.id, sha256])).toHaveLength(SOME);
      // The certificates of one endpoint in sequence: none returns after another was seen.
      const overlaps = `SELECT FROM certificate_sightings s JOIN certificate_sightings o
          ON o.organization_id = s.organization_id AND o.endpoint_id = s.endpoint_id AND o.certificate_id <> s.certificate_id
        WHERE s.organization_id = $1 AND o.first_seen_at <= s.first_seen_at AND o.last_seen_at > s.first_seen_at`;
      expect(await query(server, "app", overlaps, [tenant.id])).toEqual([]);
      const failed = "SELECT FROM certificate_endpoints WHERE organization_id = $1 AND reachability <> 'reachable'";
      expect(await query(server, "app", failed, [tenant.id])).toEqual([]);
    },
  };
};

/** New monitors of a site that is down. */
export const checkUptime: Give = async ({ server, tenant, site }) => {
  const monitors = Array.from({ length: SOME }, () => ({ id: newId(), path: `/down/${newId()}` }));
  const ids = monitors.map(({ id }) => id);
  // Not through the API, which checks the target itself.
  await query(
    server,
    "app",
    `INSERT INTO uptime_monitors (organization_id, id, name, type, target, method, headers, expected_status, follow_redirects,
       interval_seconds, timeout_seconds, failure_threshold, recovery_threshold, tags, next_check_at, created_at, updated_at)
     SELECT $1, id, path, 'http', $4::text || path, 'GET', '{}', '{}', false, 3600, 10, 1, 1, '{}', now(), now(), now()
     FROM unnest($2::uuid[], $3::text[]) AS made (id, path)`,
    [tenant.id, ids, monitors.map(({ path }) => path), site.url],
  );
  const rowsOf = (table: string, columns: string, where = "") =>
    query<{ count: number }>(
      server,
      "app",
      `SELECT ${columns} AS count FROM ${table} WHERE organization_id = $1 AND monitor_id = ANY($2::uuid[]) ${where} GROUP BY monitor_id`,
      [tenant.id, ids],
    );
  return {
    async isDone() {
      return (await rowsOf("uptime_incidents", "count(*)::integer")).length === SOME;
    },
    async verify() {
      const once = Array.from({ length: SOME }, () => ({ count: 1 }));
      expect(await rowsOf("uptime_incidents", "count(*)::integer")).toEqual(once);
      expect(await rowsOf("uptime_checks", "count(*)::integer")).toEqual(once);
      expect(await rowsOf("uptime_rollups", "sum(failures)::integer", "AND grain = 'hour'")).toEqual(once);
      for (const { path } of monitors) expect(site.asked.get(path)).toBeGreaterThanOrEqual(1);
    },
  };
};

/** A monitor that is down and has no alert yet. */
export const alertAboutMonitors: Give = async (environment) => {
  const { server, tenant } = environment;
  const id = newId();
  await query(
    server,
    "app",
    `WITH made AS (
       INSERT INTO uptime_monitors (organization_id, id, name, type, target, method, headers, expected_status, follow_redirects,
         interval_seconds, timeout_seconds, failure_threshold, recovery_threshold, tags, status, status_since, next_check_at, created_at, updated_at)
       VALUES ($1, $2, $2::uuid::text, 'tcp', '127.0.0.1:1', 'GET', '{}', '{}', false, 3600, 10, 1, 1, '{}', 'down', now(),
         now() + interval '1 year', now(), now()) RETURNING organization_id, id
     )
     INSERT INTO uptime_incidents (organization_id, id, monitor_id, started_at, reason) SELECT organization_id, id, id, now(), 'refused' FROM made`,
    [tenant.id, id],
  );
  await evaluateNow(environment);
  return alertAbout(environment, id);
};

/** A key that is used from an address that it does not allow. */
export const alertAboutEvents: Give = async (environment) => {
  const { id, api } = await environment.tenant.newKey({ ip: ["192.0.2.1"] });
  expect((await api.get("/api-keys")).status).toBe(403);
  await evaluateNow(environment);
  return alertAbout(environment, id);
};

/** Messages that are due. */
export const sendDeliveries: Give = async ({ server, tenant, channel, receiver }) => {
  const ids = Array.from({ length: SOME }, newId);
  await query(
    server,
    "app",
    `INSERT INTO notification_deliveries (organization_id, id, channel_id, key, message, alert_ids, next_attempt_at, created_at)
     SELECT $1, id, $2, id::text, $4::jsonb, '{}', now(), now() FROM unnest($3::uuid[]) AS made (id)`,
    [tenant.id, channel.id, ids, JSON.stringify(newMessage("Due"))],
  );
  const arrived = () => receiver.received.map(({ headers }) => String(headers["webhook-id"]));
  const states = "SELECT DISTINCT status, attempts FROM notification_deliveries WHERE id = ANY($1::uuid[])";
  return {
    isDone: async () => ids.every((id) => arrived().includes(id)),
    async verify(meaning) {
      const found = () => query<{ status: string; attempts: number }>(server, "app", states, [ids]);
      const sent = await until("all count as sent", async () => {
        const rows = await found();
        return rows.every(({ status }) => status === "sent") && rows;
      });
      if (meaning === "goes on") {
        expect(sent).toEqual([{ status: "sent", attempts: 1 }]);
        expect(arrived().filter((id) => ids.includes(id))).toHaveLength(SOME);
      }
    },
  };
};

/** The certificates of a domain in the search of certificate transparency logs. */
const logs = new Map<string, Logged[]>();

/** A new name in a certificate transparency log. */
export const discover: Give = async ({ server, tenant, domain }) => {
  const name = `n${newId().slice(-12)}.${domain.name}`;
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().replace(/\.\d+/, "");
  const log = logs.get(domain.name) ?? [];
  log.push({ names: [name], issuer: "C=US, O=Let's Encrypt, CN=R11", not_before: day(-30), not_after: day(60) });
  logs.set(domain.name, log);
  await arrange(server, { search: { [domain.name]: { logged: log } } });
  const due = "UPDATE domain_sources SET next_run_at = now() WHERE organization_id = $1 AND source = 'ct_search'";
  await query(server, "app", due, [tenant.id]);
  const found = "SELECT sources FROM subdomains WHERE organization_id = $1 AND name = $2";
  return {
    isDone: async () => (await query(server, "app", found, [tenant.id, name])).length > 0,
    async verify() {
      expect(await query(server, "app", found, [tenant.id, name])).toHaveLength(1);
      const state =
        "SELECT error, failures FROM domain_sources WHERE organization_id = $1 AND source = 'ct_search' AND leased_until IS NULL";
      const hasEnded = async () => {
        const rows = await query(server, "app", state, [tenant.id]);
        return rows.length > 0 && rows;
      };
      // If its worker was killed, another one continues it when the lease has ended.
      const rows = await until("its run has ended", hasEnded, 2 * LEASE_SECONDS * 1_000);
      expect(rows).toEqual([{ error: null, failures: 0 }]);
    },
  };
};

/** An organization whose grace period is over. */
export const purge: Give = async ({ server }) => {
  const { id } = await newOrganization(server);
  await query(
    server,
    "app",
    `UPDATE organizations SET deletion_requested_at = now() - interval '31 days', deletion_requested_by = 'Somebody',
       deletion_due_at = now() - interval '1 day' WHERE id = $1`,
    [id],
  );
  return {
    isDone: async () => (await query(server, "app", "SELECT FROM organizations WHERE id = $1", [id])).length === 0,
    async verify() {
      const of = "SELECT action FROM audit_events WHERE organization_id = $1";
      await until("its log is gone", async () => (await query(server, "audit", of, [id])).length === 0);
      const purged = "SELECT FROM audit_events WHERE action = 'organization.purge' AND resource_id = $1";
      await until("its end is on record", async () => (await query(server, "audit", purged, [id])).length > 0);
      expect(await query(server, "audit", purged, [id])).toHaveLength(1);
    },
  };
};
