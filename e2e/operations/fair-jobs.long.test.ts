import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { missingIndexes } from "@/e2e/support/large-organization";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { startSealwatch } from "@/e2e/support/servers/sealwatch";
import { withoutWorker } from "@/e2e/support/servers/without-worker";
import { closedPort } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import { wakeNow } from "@/lib/alert-schedule/wake";
import { evaluateStateDue } from "@/lib/alerts/evaluation/evaluate-due";
import { leaseDue } from "@/lib/alerts/evaluation/leases";
import { isMassFailure } from "@/lib/alerts/evaluation/mass-failure";
import { checkDueEndpoints } from "@/lib/certificates/check/check-due";
import { groupBy } from "@/lib/group-by";
import { newId } from "@/lib/ids";
import { processorTime } from "@/lib/jobs/processor-time";
import type { Leased } from "@/lib/notification-channels/deliveries/attempt";
import { recordAttempts } from "@/lib/notification-channels/deliveries/record-attempts";
import { LEASE, leaseDueDeliveries, leaseValues } from "@/lib/notification-channels/deliveries/send-due";
import { failed, type Sent } from "@/lib/notification-channels/providers/provider";
import { leaseDueRuns } from "@/lib/subdomains/discover-due";
import { checkDueMonitors, leaseDueMonitors } from "@/lib/uptime/checks/check-due";
import { recordOutcomes } from "@/lib/uptime/checks/record-outcomes";
import type { Monitor } from "@/lib/uptime/contract";

// These tests suspend the worker and do its work.
const server = await startSealwatch({ PROBE_ALLOWED_NETWORKS: "127.0.0.0/8" });
afterAll(() => server.destroy());

const ENDPOINTS = "/certificates/endpoints";

/** The database without the worker; the organizations' items are deleted afterwards, so that the worker never processes them. */
function asleep<Value>(count: number, work: (...owners: Organization[]) => Promise<Value>): Promise<Value> {
  return withoutWorker(server, async () => {
    const owners = await Promise.all(Array.from({ length: count }, () => newOrganization(server)));
    try {
      return await work(...owners);
    } finally {
      for (const { id } of owners) await query(server, "app", "DELETE FROM organizations WHERE id = $1", [id]);
    }
  });
}

const of = <Item extends { organizationId: string }>(owner: Organization | undefined, items: readonly Item[]) =>
  items.filter(({ organizationId }) => organizationId === owner?.id);

/** Monitors that have been due for a time; with `downFor` they went down that many seconds ago. */
async function addMonitors(
  owner: Organization | undefined,
  count: number,
  dueFor: number,
  downFor: number | null = null,
) {
  await query(
    server,
    "app",
    `INSERT INTO uptime_monitors (organization_id, id, name, type, target, method, headers, expected_status, follow_redirects,
       interval_seconds, timeout_seconds, failure_threshold, recovery_threshold, tags, status, status_since, next_check_at, created_at, updated_at)
     SELECT $1, gen_random_uuid(), n::text, 'tcp', '192.0.2.1:1', 'GET', '{}', '{}', false, 60, 10, 1, 1, '{}',
       CASE WHEN $4::integer IS NULL THEN 'up' ELSE 'down' END, now() - make_interval(secs => coalesce($4::integer, 3600)),
       now() - make_interval(secs => $3), now(), now() FROM generate_series(1, $2::integer) AS n`,
    [owner?.id, count, dueFor, downFor],
  );
}

/** Channels with messages, each message with its own key or all with the same. */
async function addDeliveries(
  owner: Organization | undefined,
  channels: number,
  each: number,
  key: "own" | "same",
  wait = "0",
) {
  await query(
    server,
    "app",
    `WITH made AS (
       INSERT INTO notification_channels (organization_id, id, name, type, settings, secrets, secret_fields, created_at, updated_at)
       SELECT $1, gen_random_uuid(), gen_random_uuid()::text, 'webhook', '{}', '', '{}', now(), now() FROM generate_series(1, $2::integer) AS n
       RETURNING organization_id, id
     )
     INSERT INTO notification_deliveries (organization_id, id, channel_id, key, message, alert_ids, next_attempt_at, created_at)
     SELECT organization_id, gen_random_uuid(), id, CASE WHEN $4 = 'own' THEN n::text ELSE 'key' END, '{"kind":"alert"}', '{}',
       now() + $5::interval, now() FROM made, generate_series(1, $3::integer) AS n`,
    [owner?.id, channels, each, key, wait],
  );
}

test("a thousand silent monitors of one organization do not delay another's", async () => {
  await asleep(2, async (big, small) => {
    await addMonitors(big, 1000, 3600);
    await addMonitors(small, 10, 0);
    const first = await leaseDueMonitors(320, []);
    expect([of(small, first).length, of(big, first).length]).toEqual([10, 160]);
    const second = await leaseDueMonitors(150, of(big, first));
    expect(of(big, second)).toHaveLength(96);
    // The maximum for one organization: items of another one find a free slot.
    await query(server, "app", "UPDATE uptime_monitors SET leased_until = NULL WHERE organization_id = $1", [
      small?.id,
    ]);
    const third = await leaseDueMonitors(64, [...of(big, first), ...second]);
    expect([of(small, third).length, of(big, third).length]).toEqual([10, 0]);
  });
});

test("an organization beyond its processor time is checked a little later, and others at once", async () => {
  await asleep(2, async (slow, other) => {
    for (const owner of [slow, other]) await addMonitors(owner, 3, 60);
    const usage = vi.spyOn(process, "cpuUsage");
    for (const user of [0, 4_000_000]) usage.mockReturnValueOnce({ user, system: 0 });
    processorTime().spend(slow?.id ?? "", () => {});
    usage.mockRestore();
    await checkDueMonitors(new AbortController().signal);
    const states = await query(
      server,
      "app",
      `SELECT m.organization_id = $1 AS is_slow, m.leased_until IS NULL AS is_free, m.next_check_at > now() AS is_later,
         (SELECT count(*)::integer FROM uptime_checks c WHERE c.organization_id = m.organization_id AND c.monitor_id = m.id) AS checks
       FROM uptime_monitors m WHERE m.organization_id = ANY ($2) ORDER BY is_slow DESC`,
      [slow?.id, [slow?.id, other?.id]],
    );
    const state = { is_free: true, is_later: true };
    expect(states).toEqual([
      ...Array(3).fill({ ...state, is_slow: true, checks: 0 }),
      ...Array(3).fill({ ...state, is_slow: false, checks: 1 }),
    ]);
    for (const owner of [slow, other]) await owner?.admin.post(ENDPOINTS, { host: "a.internal", reported: true });
    const makeDue = `UPDATE certificate_endpoints SET next_check_at = now(), last_checked_at = NULL, leased_until = NULL
      WHERE organization_id = ANY ($1)`;
    await query(server, "app", makeDue, [[slow?.id, other?.id]]);
    await checkDueEndpoints(new AbortController().signal);
    const endpoints = await query(
      server,
      "app",
      `SELECT organization_id = $1 AS is_slow, leased_until IS NULL AS is_free, next_check_at > now() AS is_later,
         last_checked_at IS NOT NULL AS is_checked
       FROM certificate_endpoints WHERE organization_id = ANY ($2) ORDER BY is_slow DESC`,
      [slow?.id, [slow?.id, other?.id]],
    );
    expect(endpoints).toEqual([
      { ...state, is_slow: true, is_checked: false },
      { ...state, is_slow: false, is_checked: true },
    ]);
  });
});

test.each([
  ["created", true],
  ["administer since their creator left", false],
])("due evaluations of organizations that one person %s leave slots for others", async (_, isCreator) => {
  await asleep(5, async (...owners) => {
    const ids = owners.map(({ id }) => id);
    const person = newId();
    const [other = ""] = ids.slice(-1);
    await query(
      server,
      "app",
      `WITH made AS (
         INSERT INTO users (id, issuer, subject, email, name, created_at)
         VALUES ($2, 'https://id.test', $2::uuid::text, '', 'Person', now())
       ), member AS (
         INSERT INTO memberships (organization_id, user_id, permission, created_at)
         SELECT id, $2::uuid, 'admin', now() FROM unnest($1::uuid[]) AS id
       )
       UPDATE organizations SET created_by = $3 WHERE id = ANY($1)`,
      [ids.slice(0, -1), person, isCreator ? person : newId()],
    );
    await query(
      server,
      "app",
      `INSERT INTO alert_evaluations (organization_id, next_at) SELECT id, now() - interval '1 hour' * (CASE WHEN id = $2 THEN 1 ELSE 2 END)
       FROM unnest($1::uuid[]) AS id ON CONFLICT (organization_id) DO UPDATE SET next_at = excluded.next_at, leased_until = NULL`,
      [ids, other],
    );
    const first = await leaseDue("state", 4, []);
    expect(first.filter(({ creator }) => creator === person)).toHaveLength(2);
    expect(of(owners.at(-1), first)).toHaveLength(1);
    expect((await leaseDue("state", 4, first)).filter(({ creator }) => creator === person)).toEqual([]);
    const next = await leaseDue("state", 4, first.filter(({ creator }) => creator === person).slice(1));
    expect(next.filter(({ creator }) => creator === person)).toHaveLength(1);
  });
});

test("a thousand messages of one organization or channel do not delay others", async () => {
  await asleep(2, async (big, small) => {
    await addDeliveries(big, 250, 5, "own");
    await addDeliveries(small, 3, 3, "own");
    const leased = await leaseDueDeliveries(320, []);
    expect([of(small, leased).length, of(big, leased).length]).toEqual([9, 160]);
    const perChannel = groupBy(leased, ({ channel }) => channel.id);
    for (const each of perChannel.values()) expect(each.length).toBeLessThanOrEqual(4);
  });
});

test("fifty domains of one organization do not delay another's, even if one is searched at a time", async () => {
  await asleep(2, async (big, small) => {
    const add = (owner: Organization | undefined, count: number, dueFor: number) =>
      query(
        server,
        "app",
        `WITH made AS (
           INSERT INTO domains (organization_id, id, name, challenge, interval_hours, created_at, updated_at)
           SELECT $1, gen_random_uuid(), 'd' || n || '.example', '', 24, now(), now() FROM generate_series(1, $2::integer) AS n
           RETURNING organization_id, id
         )
         INSERT INTO domain_sources (organization_id, domain_id, source, next_run_at)
         SELECT organization_id, id, source, now() - make_interval(secs => $3) FROM made, unnest('{dns,ct_public_search}'::text[]) AS source`,
        [owner?.id, count, dueFor],
      );
    await add(big, 50, 3600);
    await add(small, 1, 0);
    const dns = await leaseDueRuns("dns", []);
    expect([of(small, dns).length, of(big, dns).length]).toEqual([1, 2]);
    // Chance decides who is next: in forty of fifty turns it is never only one organization.
    const turns = [];
    for (let turn = 0; turn < 40; turn++) turns.push(...(await leaseDueRuns("ct_public_search", [])));
    expect(of(small, turns)).toHaveLength(1);
  });
});

test("a lease reads neither the messages that wait for their next attempt nor those that wait behind them", async () => {
  await until("the worker has built the indexes", async () => (await missingIndexes(server)).length === 0);
  await asleep(2, async (big, small) => {
    await addDeliveries(big, 4, 5_000, "own", "1 hour");
    await addDeliveries(big, 4, 40, "same");
    await query(
      server,
      "app",
      `UPDATE notification_deliveries d SET next_attempt_at = now() + interval '1 hour' WHERE organization_id = $1 AND key = 'key'
         AND NOT EXISTS (SELECT FROM notification_deliveries o WHERE o.channel_id = d.channel_id AND o.id < d.id)`,
      [big?.id],
    );
    // This lease finds those that wait behind others, and holds them back.
    expect(await leaseDueDeliveries(320, [])).toEqual([]);
    await addDeliveries(small, 1, 3, "own");
    await query(server, "app", "ANALYZE notification_deliveries");
    const client = new pg.Client({ connectionString: server.databases.app });
    await client.connect();
    try {
      await client.query("BEGIN");
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${LEASE}`, leaseValues(320, []));
      await client.query("ROLLBACK");
      expect(rowsRead((rows[0] as { "QUERY PLAN": { Plan: Plan }[] })["QUERY PLAN"][0]?.Plan)).toBeLessThan(50);
    } finally {
      await client.end();
    }
    expect(of(small, await leaseDueDeliveries(320, []))).toHaveLength(3);
  });
});

test("a message waits for those before it about the same alert, and is due at once when they are done", async () => {
  await asleep(1, async (owner) => {
    await addDeliveries(owner, 1, 3, "same");
    const ids = "SELECT id FROM notification_deliveries WHERE organization_id = $1 ORDER BY id";
    const [first, second, third] = await query<{ id: string }>(server, "app", ids, [owner?.id]);
    const lease = async () => {
      const leased = await leaseDueDeliveries(320, []);
      // None of the others is due, either: it is held back.
      expect(await leaseDueDeliveries(320, leased)).toEqual([]);
      return leased;
    };
    const record = (leased: readonly Leased[], sent: Sent) =>
      recordAttempts(leased.map((each) => ({ leased: each, sent, at: new Date() })));
    const attempted = await lease();
    expect(attempted).toMatchObject([{ id: first?.id }]);
    await record(attempted, failed("HTTP status 503", false));
    expect(await lease()).toEqual([]);
    // All are due again, as when their channel works again.
    await query(
      server,
      "app",
      "UPDATE notification_deliveries SET next_attempt_at = now() - interval '1 second' WHERE organization_id = $1",
      [owner?.id],
    );
    for (const next of [first, second, third]) {
      // What is due now may be so in the next millisecond, to which the column is rounded.
      const leased = await until("the next is due", async () => {
        const found = await lease();
        return found.length > 0 && found;
      });
      expect(leased).toMatchObject([{ id: next?.id }]);
      await record(leased, { ok: true });
    }
    expect(await lease()).toEqual([]);
  });
});

test("a message about another alert is sent before those that wait, unless they are more than a hundred", async () => {
  await asleep(1, async (owner) => {
    await addDeliveries(owner, 1, 101, "same", "1 hour");
    const own = "UPDATE notification_deliveries SET alert_ids = ARRAY[id] WHERE organization_id = $1";
    await query(server, "app", own, [owner?.id]);
    const ids = "SELECT id FROM notification_deliveries WHERE organization_id = $1 ORDER BY id";
    const all = await query<{ id: string }>(server, "app", ids, [owner?.id]);
    const last = all.at(-1)?.id;
    const leasedWhenDue = async () => {
      const due = "UPDATE notification_deliveries SET next_attempt_at = now() - interval '1 second' WHERE id = $1";
      await query(server, "app", due, [last]);
      return leaseDueDeliveries(320, []);
    };
    expect(await leasedWhenDue()).toEqual([]);
    // Until the first of those before it is due, but for a minute at least.
    const held = `SELECT d.next_attempt_at = (SELECT min(o.next_attempt_at) FROM notification_deliveries o WHERE o.organization_id = $1
        AND o.id <> d.id) AS as_first, d.next_attempt_at < now() + interval '2 minutes' AS briefly FROM notification_deliveries d WHERE d.id = $2`;
    expect(await query(server, "app", held, [owner?.id, last])).toEqual([{ as_first: true, briefly: false }]);
    const soon = "UPDATE notification_deliveries SET next_attempt_at = now() + interval '30 seconds' WHERE id = $1";
    await query(server, "app", soon, [all[50]?.id]);
    expect(await leasedWhenDue()).toEqual([]);
    expect(await query(server, "app", held, [owner?.id, last])).toEqual([{ as_first: false, briefly: true }]);
    await query(server, "app", soon.replace("30 seconds", "1 hour"), [all[50]?.id]);
    await query(server, "app", "UPDATE notification_deliveries SET status = 'sent' WHERE id = $1", [all[0]?.id]);
    expect(await leasedWhenDue()).toMatchObject([{ id: last }]);
  });
});

interface Plan {
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** Rows of deliveries that a plan touched. */
function rowsRead(plan: Plan | undefined): number {
  if (plan === undefined) throw new Error("no plan");
  const below = (plan.Plans ?? []).map(rowsRead).reduce((sum, each) => sum + each, 0);
  if (plan["Relation Name"] !== "notification_deliveries") return below;
  return below + (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"];
}

test("an attempt counts once, and only under its own lease", async () => {
  await asleep(1, async (owner) => {
    await addDeliveries(owner, 1, 1, "own");
    const [late] = await leaseDueDeliveries(1, []);
    const over =
      "UPDATE notification_deliveries SET leased_until = now() - interval '1 second' WHERE organization_id = $1";
    await query(server, "app", over, [owner?.id]);
    const [second] = await leaseDueDeliveries(1, []);
    if (late === undefined || second === undefined) throw new Error("nothing was leased");
    expect([late.attempts, second.attempts]).toEqual([1, 2]);
    const state = async () => {
      const text = `SELECT d.status, d.last_error, d.leased_until IS NOT NULL AS leased, c.failures
        FROM notification_deliveries d JOIN notification_channels c ON c.id = d.channel_id WHERE d.organization_id = $1`;
      return (await query(server, "app", text, [owner?.id]))[0];
    };
    await recordAttempts([{ leased: late, sent: failed("late", true), at: new Date() }]);
    expect(await state()).toEqual({ status: "pending", last_error: null, leased: true, failures: 0 });
    const result = { leased: second, sent: failed("refused", true), at: new Date() };
    await recordAttempts([result]);
    // As if the connection broke before the response to the first attempt.
    await recordAttempts([result]);
    expect(await state()).toEqual({ status: "failed", last_error: "refused", leased: false, failures: 1 });
  });
});

test("a late check leaves no lease, and a check that is written twice counts once", async () => {
  await asleep(1, async (owner) => {
    await addMonitors(owner, 1, 10);
    const [monitor] = await leaseDueMonitors(1, []);
    if (monitor === undefined) throw new Error("nothing was leased");
    const { organizationId, id: monitorId, version, leasedUntil } = monitor;
    const phases = {
      statusCode: null,
      address: null,
      dnsUs: null,
      connectUs: 1,
      tlsUs: null,
      ttfbUs: null,
      totalUs: 1,
    };
    const outcome = { at: new Date(), ok: true, reason: null, detail: null, ...phases };
    const leases = "SELECT leased_until, successes FROM uptime_monitors WHERE organization_id = $1";
    const read = () => query<{ leased_until: Date | null; successes: number }>(server, "app", leases, [organizationId]);
    await recordOutcomes([{ organizationId, monitorId, version: version - 1, leasedUntil: new Date(0), outcome }]);
    expect(await read()).toMatchObject([{ leased_until: leasedUntil, successes: 0 }]);
    await recordOutcomes([{ organizationId, monitorId, version: version - 1, leasedUntil, outcome }]);
    expect(await read()).toMatchObject([{ leased_until: null, successes: 0 }]);
    const result = { organizationId, monitorId, version, leasedUntil, outcome };
    expect(await recordOutcomes([result])).toHaveLength(1);
    expect(await recordOutcomes([result])).toEqual([]);
    expect(await read()).toMatchObject([{ leased_until: null, successes: 1 }]);
  });
});

test("an organization whose monitors all go down does not hold back notifications of others", async () => {
  await asleep(3, async (hostile, victim, healthy) => {
    await addMonitors(hostile, 5_000, 0, 10);
    await addMonitors(victim, 3, 0, 10);
    await addMonitors(healthy, 30, 0);
    const held = await Promise.all([hostile, victim, healthy].map((each) => isMassFailure(each?.id ?? "")));
    expect(held).toEqual([false, false, false]);
  });
});

test("organizations whose creator left count as one in a mass failure, that of their admin", async () => {
  await asleep(4, async (...owners) => {
    const [first, second, third, healthy] = owners;
    const left = [first, second, third];
    for (const each of left) await addMonitors(each, 30, 0, 10);
    await addMonitors(healthy, 30, 0);
    // Results are cached. Organizations of the operator count alone.
    await until("the monitors are counted", () => isMassFailure(first?.id ?? ""));
    await query(
      server,
      "app",
      `WITH made AS (
         INSERT INTO users (id, issuer, subject, email, name, created_at)
         VALUES ($2, 'https://id.test', $2::uuid::text, '', 'Person', now())
       ), member AS (
         INSERT INTO memberships (organization_id, user_id, permission, created_at)
         SELECT id, $2::uuid, 'admin', now() FROM unnest($1::uuid[]) AS id
       )
       UPDATE organizations SET created_by = gen_random_uuid() WHERE id = ANY($1)`,
      [left.map((each) => each?.id), newId()],
    );
    await until("the organizations count for their admin", async () => !(await isMassFailure(first?.id ?? "")));
  });
});

test("an event during an evaluation is evaluated by the next one, immediately", async () => {
  const owner = await newOrganization(server);
  const add = async (name: string) => {
    const target = `127.0.0.1:${await closedPort()}`;
    const made = await owner.admin.post<Monitor>("/uptime", { name, type: "tcp", target, failure_threshold: 1 });
    expect(made.status, made.text).toBe(201);
    return made.data.id;
  };
  const alertsOf = (id: string) =>
    query(server, "app", "SELECT FROM alerts WHERE organization_id = $1 AND subject_id = $2", [owner.id, id]);
  const first = await add("first");
  await until("there is an alert", async () => (await alertsOf(first)).length === 1);
  const goesDown = `WITH added AS (
      INSERT INTO uptime_monitors SELECT (jsonb_populate_record(m, jsonb_build_object('id', $2::text, 'name', 'second'))).*
      FROM uptime_monitors m WHERE organization_id = $1 AND id = $3 RETURNING organization_id, id
    )
    INSERT INTO uptime_incidents (organization_id, id, monitor_id, started_at, reason)
    SELECT organization_id, id, id, now(), 'timeout' FROM added`;
  const due =
    "UPDATE alert_evaluations SET next_at = now() WHERE organization_id = $1 AND leased_until IS NULL RETURNING next_at";
  const holder = new pg.Client({ connectionString: server.databases.app });
  await holder.connect();
  const blocked = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM alerts%FOR UPDATE%'`;
  await until("no evaluation is under way", () =>
    withoutWorker(server, async () => {
      if ((await query(server, "app", due, [owner.id])).length === 0) return false;
      const second = newId();
      // An evaluation that changes nothing would not lock the alerts.
      await query(server, "app", "UPDATE alerts SET detail = 'before' WHERE organization_id = $1", [owner.id]);
      // The facts have been read before it reads the alerts. An attempt on a slow machine may have met the time limit of the lock.
      await holder.query("ROLLBACK; BEGIN");
      await holder.query("SELECT FROM alerts WHERE organization_id = $1 FOR UPDATE", [owner.id]);
      const evaluated = evaluateStateDue(new AbortController().signal);
      await until("it waits for the alerts", async () => (await query(server, "app", blocked)).length > 0);
      await query(server, "app", goesDown, [owner.id, second, first]);
      await wakeNow("state", [owner.id]);
      await holder.query("ROLLBACK");
      await evaluated;
      expect(await alertsOf(second)).toHaveLength(1);
      return true;
    }),
  );
  await holder.end();
});
