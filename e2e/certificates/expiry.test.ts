import { expect, test } from "vitest";
import { fillWithEndpoints } from "@/e2e/support/large-organization";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession } from "@/e2e/support/session";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { until } from "@/e2e/support/until";
import { expireAlerts } from "@/lib/alerts/expire-alerts";
import { expireCertificateHistory } from "@/lib/certificates/record/expire-history";
import { newId } from "@/lib/ids";
import { expirePeople } from "@/lib/sign-in/expire-people";
import { expireSessions } from "@/lib/sign-in/expire-sessions";
import type { Monitor } from "@/lib/uptime/contract";
import { expireIncidents } from "@/lib/uptime/incidents/expire-incidents";

const server = sharedServer();
const never = new AbortController().signal;

async function count(table: string, organizationId: string, where = "true"): Promise<number> {
  const text = `SELECT count(*)::integer AS count FROM ${table} WHERE organization_id = $1 AND ${where}`;
  return (await query<{ count: number }>(server, "app", text, [organizationId]))[0]?.count ?? Number.NaN;
}

const setPlan = (id: string, plan: string) =>
  query(server, "app", "UPDATE organizations SET plan = $2 WHERE id = $1", [id, plan]);

/** Lets no alert rules of an organization be evaluated, as if a worker held the lease. */
async function withoutEvaluations(id: string): Promise<void> {
  const hold = `UPDATE alert_evaluations SET leased_until = now() + interval '1 hour', events_leased_until = now() + interval '1 hour'
    WHERE organization_id = $1 AND leased_until IS NULL AND events_leased_until IS NULL RETURNING organization_id`;
  await until("no evaluation runs", async () => (await query(server, "app", hold, [id])).length > 0);
}

test("resolved alerts are deleted with their timelines after the plan's retention", async () => {
  const [free, team] = await Promise.all([newOrganization(server), newOrganization(server)]);
  await setPlan(team.id, "team");
  for (const { id } of [free, team]) {
    await withoutEvaluations(id);
    for (const [ago, live] of [
      ["31 days", false],
      ["29 days", false],
      ["31 days", true],
      [null, true],
    ] as const) {
      const alert = newId();
      await query(
        server,
        "app",
        `INSERT INTO alerts (organization_id, id, rule_id, rule_name, subject_type, subject_id, subject_name, step, severity, causes, detail,
           opened_at, resolved_at, memory, live)
         VALUES ($1, $2, $2, 'Rule', 'monitor', $2, 'Monitor', 0, 'warning', '{}', '', now() - interval '50 days', now() - $3::interval, '{}', $4)`,
        [id, alert, ago, live],
      );
      const entry =
        "INSERT INTO alert_entries (organization_id, alert_id, id, kind, details) VALUES ($1, $2, $3, 'opened', '{}')";
      await query(server, "app", entry, [id, alert, newId()]);
    }
  }
  await expireAlerts(never);
  expect([await count("alerts", free.id), await count("alert_entries", free.id)]).toEqual([3, 3]);
  expect([await count("alerts", team.id), await count("alert_entries", team.id)]).toEqual([4, 4]);
});

test("incidents are deleted after the plan's retention from their end, once the alert rules have seen it", async () => {
  const { id, admin } = await newOrganization(server);
  await withoutEvaluations(id);
  const sent = { name: "Down", type: "tcp", target: "127.0.0.1:9", paused: true };
  const { data } = await admin.post<Monitor>("/uptime", sent);
  for (const [reason, ended, awaits] of [
    ["old", "31 days", false],
    ["unseen", "31 days", true],
    ["late", "29 days", false],
    ["open", null, false],
  ] as const) {
    const incident = newId();
    await query(
      server,
      "app",
      `INSERT INTO uptime_incidents (organization_id, id, monitor_id, started_at, ended_at, reason, awaits_evaluation)
       VALUES ($1, $2, $3, now() - interval '60 days', now() - $4::interval, $5, $6)`,
      [id, incident, data.id, ended, reason, awaits],
    );
    const evidence = "INSERT INTO uptime_evidence (organization_id, incident_id, content) VALUES ($1, $2, '{}')";
    await query(server, "app", evidence, [id, incident]);
  }
  const overview = async () => (await admin.get<{ incidents: object }>("/analytics/overview")).data.incidents;
  const before = await overview();
  await expireIncidents(never);
  expect(await count("uptime_incidents", id)).toBe(3);
  expect(await count("uptime_incidents", id, "reason = 'old'")).toBe(0);
  expect(await count("uptime_evidence", id)).toBe(3);
  expect(await overview()).toEqual(before);
  expect(before).toEqual({ open: 1, last_30d: 0 });
});

test("an open alert keeps its last 500 entries about notifications, and all others", async () => {
  const { id } = await newOrganization(server);
  const alert = newId();
  await query(
    server,
    "app",
    `INSERT INTO alerts (organization_id, id, rule_id, rule_name, subject_type, subject_id, subject_name, step, severity, causes, detail,
       opened_at, memory, live) VALUES ($1, $2, $2, 'Rule', 'monitor', $2, 'Monitor', 0, 'warning', '{}', '', now(), '{}', true)`,
    [id, alert],
  );
  const fill = `INSERT INTO alert_entries (organization_id, alert_id, id, kind, details)
    SELECT $1, $2, lpad(to_hex(n), 32, '0')::uuid, CASE WHEN n % 2 = 0 THEN 'told' ELSE 'note' END, '{}' FROM generate_series(1, 1020) AS n`;
  await query(server, "app", fill, [id, alert]);
  await expireAlerts(never);
  const text = `SELECT kind, count(*)::integer, min(id::text) FROM alert_entries WHERE organization_id = $1 GROUP BY kind ORDER BY kind`;
  expect(await query(server, "app", text, [id])).toEqual([
    { kind: "note", count: 510, min: `${"0".repeat(8)}-0000-0000-0000-${"1".padStart(12, "0")}` },
    { kind: "told", count: 500, min: `${"0".repeat(8)}-0000-0000-0000-${(22).toString(16).padStart(12, "0")}` },
  ]);
});

test("closed findings, ended sightings and unused certificates are deleted; served and submitted ones stay", async () => {
  const { id } = await newOrganization(server);
  await fillWithEndpoints(server, id, 20);
  const own = (text: string) => query(server, "app", text, [id]);
  // Served for longer than the plan's retention: nothing is written while nothing changes.
  await own("UPDATE certificate_sightings SET last_seen_at = now() - interval '99 days' WHERE organization_id = $1");
  await own("UPDATE certificates SET first_seen_at = now() - interval '100 days' WHERE organization_id = $1");
  await own(
    `UPDATE certificate_endpoints SET previous_certificate_id = NULL WHERE organization_id = $1 AND host NOT LIKE 'host-1%'`,
  );
  await own(`UPDATE certificates SET added_at = now() WHERE organization_id = $1 AND common_name = 'host-2' AND id NOT IN
    (SELECT certificate_id FROM certificate_endpoints WHERE organization_id = $1)`);
  await own(`UPDATE certificate_endpoints SET served_chain = served_chain || (
      SELECT id FROM certificates c WHERE c.organization_id = $1 AND common_name = 'host-3' AND id <> certificate_id LIMIT 1)
    WHERE organization_id = $1 AND host LIKE 'host-3.%'`);
  await own(`INSERT INTO certificate_findings (organization_id, id, endpoint_id, code, severity, evidence, opened_at)
    SELECT organization_id, gen_random_uuid(), id, 'weak_key', 'warning', '{}', now() - interval '100 days' FROM certificate_endpoints
    WHERE organization_id = $1`);
  await expireCertificateHistory(never);
  expect([
    await count("certificate_findings", id),
    await count("certificate_findings", id, "closed_at IS NULL"),
  ]).toEqual([20, 20]);
  expect(await count("certificate_sightings", id)).toBe(20);
  // Of those served before, 11 are an endpoint's previous one, one was submitted, one is in a chain.
  expect(await count("certificates", id)).toBe(20 + 11 + 2);
  await expireCertificateHistory(never);
  expect(await count("certificates", id)).toBe(33);
});

test("a certificate that was handed in is deleted the plan's retention after it expired, or after 400 days", async () => {
  const { id, admin } = await newOrganization(server);
  const { pem } = await makeCertificate({ name: "obtained.test" });
  expect((await admin.post("/certificates/obtained", { pem })).status).toBe(200);
  for (const [name, obtained, left] of [
    ["valid", "60 days", "10 years"],
    ["old", "431 days", "10 years"],
    ["expired", "60 days", "-31 days"],
    ["just expired", "60 days", "-29 days"],
  ] as const) {
    await query(
      server,
      "app",
      `INSERT INTO certificates SELECT (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'sha256', '\\x' || md5($2) || md5($2),
         'common_name', $2::text, 'first_seen_at', now() - $3::interval, 'obtained_at', now() - $3::interval, 'not_after', now() + $4::interval))).*
       FROM certificates c WHERE organization_id = $1 AND common_name = 'obtained.test'`,
      [id, name, obtained, left],
    );
  }
  await expireCertificateHistory(never);
  const text = "SELECT common_name FROM certificates WHERE organization_id = $1 ORDER BY common_name";
  const kept = await query<{ common_name: string }>(server, "app", text, [id]);
  expect(kept.map(({ common_name }) => common_name)).toEqual(["just expired", "obtained.test", "valid"]);
});

test("people are deleted after a month without a membership and a session, unless an organization that they created exists", async () => {
  const names = ["gone", "creator", "fresh", "signedIn", "back", "member"] as const;
  const sessions = await Promise.all(names.map(() => newSession(server)));
  const idOf = (name: (typeof names)[number]) => sessions[names.indexOf(name)]?.userId ?? "";
  const update = (text: string, ...who: (typeof names)[number][]) => query(server, "app", text, [who.map(idOf)]);
  await update("UPDATE users SET created_at = now() - interval '1 year' WHERE id = ANY ($1)", ...names);
  await update("DELETE FROM memberships WHERE user_id = ANY ($1)", "gone", "creator", "fresh", "signedIn");
  await update("DELETE FROM organizations WHERE created_by = ANY ($1)", "gone", "fresh");
  const ended = "UPDATE sessions SET ended_at = now() - interval '2 days' WHERE user_id = ANY ($1)";
  await update(ended, "gone", "creator", "fresh", "back", "member");
  await expireSessions(never);
  const left = async () => {
    await expirePeople(never);
    const text = "SELECT id FROM users WHERE id = ANY ($1)";
    const found = await query<{ id: string }>(server, "app", text, [names.map(idOf)]);
    return names.filter((name) => found.some(({ id }) => id === idOf(name)));
  };
  expect(await left()).toEqual([...names]);
  const longAgo = "UPDATE users SET left_at = now() - interval '31 days' WHERE id = ANY ($1)";
  await update(longAgo, "gone", "creator", "signedIn", "back");
  expect(await left()).toEqual(["creator", "fresh", "signedIn", "back", "member"]);
  // A membership since then counts.
  await update("DELETE FROM memberships WHERE user_id = ANY ($1)", "back");
  await update("DELETE FROM organizations WHERE created_by = ANY ($1)", "back");
  expect(await left()).toEqual(["creator", "fresh", "signedIn", "back", "member"]);
});
