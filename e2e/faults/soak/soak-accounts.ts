import type { SoakTenant } from "@/e2e/faults/soak/soak-tenant";
import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";

/** A comparison of two sides. */
interface Line {
  what: string;
  outside: number;
  inside: number;
  /** How many of them have no counterpart, in either direction. */
  apart: number;
  /** Details that help to explain a difference. */
  details?: string[];
}

/** Compares a tenant's ledgers with Sealwatch's records. */
export async function accountsOf(server: Sealwatch, tenant: SoakTenant): Promise<Line[]> {
  const lines = await Promise.all([requests(server, tenant), keys(server, tenant), outages(server, tenant)]);
  return [...lines.flat(), ...(await alerts(server, tenant)), await followed(server, tenant)];
}

/** The differences, one sentence each. */
export function differences(lines: readonly Line[]): string[] {
  return lines.filter(({ apart }) => apart !== 0).map(({ what, apart }) => `${what}: ${apart}`);
}

/** As a table. */
export function showAccounts(accounts: readonly (readonly Line[])[]): string[] {
  return accounts.flatMap((lines, n) => [
    `Tenant ${n + 1}`.padEnd(60) + ["outside", "inside", "apart"].map((word) => word.padStart(9)).join(""),
    ...lines.flatMap(({ what, outside, inside, apart, details = [] }) => [
      `  ${what}`.padEnd(60) + [outside, inside, apart].map((count) => String(count).padStart(9)).join(""),
      ...(apart === 0 ? [] : details.map((detail) => `    ${detail}`)),
    ]),
  ]);
}

/** How many values are in one list and not in the other, counting each as often as it is there. */
function apart(one: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const value of one) counts.set(value, (counts.get(value) ?? 0) + 1);
  for (const value of other) counts.set(value, (counts.get(value) ?? 0) - 1);
  return [...counts.values()].reduce((sum, count) => sum + Math.abs(count), 0);
}

/**
 * Each served request has one event. Of the others, the log has at most as many as were sent: there was no response, or it was 503,
 * which may mean that no event can be written.
 */
async function requests(server: Sealwatch, { id, requests }: SoakTenant): Promise<Line[]> {
  const ids = requests.flatMap((request) => (request.id !== null && (request.status ?? 0) < 500 ? request.id : []));
  const unserved = requests.length - ids.length;
  const found = await query<{ id: string }>(server, "audit", "SELECT id FROM audit_events WHERE id = ANY($1::uuid[])", [
    ids,
  ]);
  const others = await query<{ id: string }>(
    server,
    "audit",
    `SELECT id FROM audit_events WHERE organization_id = $1 AND id <> ALL($2::uuid[]) AND method IS NOT NULL
       AND path ~ '^/api/v1/(certificates|api-keys)' AND occurred_at >= $3`,
    [id, ids, new Date(startOf(ids))],
  );
  const inLog = found.map((row) => row.id);
  return [
    { what: "requests that were served, events", outside: ids.length, inside: inLog.length, apart: apart(ids, inLog) },
    {
      what: "other requests, at most as many events",
      outside: unserved,
      inside: others.length,
      apart: Math.max(0, others.length - unserved),
    },
  ];
}

/** Unix milliseconds of the first of these ids (UUIDv7). */
function startOf(ids: readonly string[]): number {
  const [first = "0"] = ids.toSorted();
  return Number.parseInt(first.replaceAll("-", "").slice(0, 12), 16);
}

/** Each returned key exists, no unrequested key exists, and each has one event of its creation. */
async function keys(server: Sealwatch, { id, keys }: SoakTenant): Promise<Line[]> {
  const rows = await query<{ id: string; name: string }>(
    server,
    "app",
    "SELECT id, name FROM api_keys WHERE organization_id = $1",
    [id],
  );
  const events = await query<{ resource_id: string }>(
    server,
    "audit",
    "SELECT resource_id FROM audit_events WHERE organization_id = $1 AND 'key_created' = ANY(flags)",
    [id],
  );
  const lost = [...keys.made].filter((made) => !rows.some((row) => row.id === made)).length;
  const invented = rows.filter(({ name }) => !keys.asked.has(name)).length;
  const made = events.map(({ resource_id }) => resource_id);
  return [
    { what: "keys handed out, keys there", outside: keys.made.size, inside: rows.length, apart: lost + invented },
    {
      what: "keys there, events of their making",
      outside: rows.length,
      inside: made.length,
      apart: apart(
        rows.map((row) => row.id),
        made,
      ),
    },
  ];
}

/** Each outage of a site is one incident with an end; each stored check was sent, and counted once. */
async function outages(server: Sealwatch, { id, outages }: SoakTenant): Promise<Line[]> {
  const rows = await query<{ monitor_id: string }>(
    server,
    "app",
    "SELECT monitor_id FROM uptime_incidents WHERE organization_id = $1 AND ended_at IS NOT NULL",
    [id],
  );
  const [counts] = await query<{ checks: number; counted: number }>(
    server,
    "app",
    `SELECT (SELECT count(*)::integer FROM uptime_checks WHERE organization_id = $1) AS checks,
       (SELECT coalesce(sum(checks), 0)::integer FROM uptime_rollups WHERE organization_id = $1 AND grain = 'hour') AS counted`,
    [id],
  );
  const { checks = 0, counted = 0 } = counts ?? {};
  return [
    {
      what: "outages of sites, incidents that have ended",
      outside: outages.length,
      inside: rows.length,
      apart: apart(
        outages.map(({ monitorId }) => monitorId),
        rows.map(({ monitor_id }) => monitor_id),
      ),
    },
    { what: "checks, counted checks", outside: checks, inside: counted, apart: Math.abs(checks - counted) },
  ];
}

interface Message {
  id: string;
  type: string;
  alertIds: string[];
}

function messagesOf({ receiver }: SoakTenant): Message[] {
  return receiver.received.map(({ headers, body }) => {
    const { type, data } = JSON.parse(body) as { type: string; data: { items: { alert_id: string | null }[] } };
    return { id: String(headers["webhook-id"]), type, alertIds: data.items.flatMap(({ alert_id }) => alert_id ?? []) };
  });
}

/** Each outage and each misuse is one alert; each alert has one message when it opens and, if configured, one when it ends. */
async function alerts(server: Sealwatch, tenant: SoakTenant): Promise<Line[]> {
  const rows = await query<{ id: string; subject_id: string; subject_type: string; resolved: boolean }>(
    server,
    "app",
    `SELECT id, subject_id, subject_type, resolved_at IS NOT NULL AS resolved FROM alerts WHERE organization_id = $1`,
    [tenant.id],
  );
  const about = (type: string) => rows.filter(({ subject_type }) => subject_type === type);
  const [monitors, keys] = [about("monitor"), about("api_key")];
  const all = messagesOf(tenant);
  const messages = all.filter(({ id }, index) => all.findIndex((each) => each.id === id) === index);
  const notified = (type: string) => messages.flatMap((each) => (each.type === type ? each.alertIds : []));
  const idsOf = (alerts: typeof rows) => alerts.map(({ id }) => id);
  const line = (what: string, outside: string[], inside: string[]) => {
    return { what, outside: outside.length, inside: inside.length, apart: apart(outside, inside) };
  };
  const known = (ids: string[], alerts: typeof rows) => ids.filter((id) => alerts.some((alert) => alert.id === id));
  return [
    line(
      "outages of sites, alerts",
      tenant.outages.map(({ monitorId }) => monitorId),
      monitors.map(({ subject_id }) => subject_id),
    ),
    line(
      "misuses of keys, alerts",
      tenant.misused,
      keys.map(({ subject_id }) => subject_id),
    ),
    line("messages that an alert opened, alerts", notified("alert.firing"), idsOf(rows)),
    line(
      "messages that an alert about a site ended, such alerts",
      known(notified("alert.resolved"), monitors),
      idsOf(monitors.filter(({ resolved }) => resolved)),
    ),
    // If a worker dies between sending a message and recording it, the message is sent again with the same id.
    {
      what: "posts to the receiver, messages by their id",
      outside: all.length,
      inside: messages.length,
      apart: 0,
    },
  ];
}

/** The follower of the log has received every event of a request once. */
async function followed(server: Sealwatch, { id, requests, follower }: SoakTenant): Promise<Line> {
  const ids = requests.flatMap((request) => request.id ?? []);
  const rows = await query<{ id: string; written: string }>(
    server,
    "audit",
    "SELECT id, written::text FROM audit_events WHERE organization_id = $1 AND id = ANY($2::uuid[]) ORDER BY audit_events.written, id",
    [id, ids],
  );
  const own = new Set(rows.map((row) => row.id));
  const received = follower.ids.filter((each) => own.has(each));
  const known = new Set(received);
  // With the events before and after it, in the order in which they became visible.
  const missing = rows.flatMap((row, n) => {
    if (known.has(row.id)) return [];
    const beside = rows.slice(Math.max(0, n - 2), n + 3);
    return `missing: ${beside.map((each) => `${each.id}@${each.written}${known.has(each.id) ? "" : "!"}`).join(" ")}`;
  });
  return {
    what: "events sent by the stream, events",
    outside: received.length,
    inside: own.size,
    apart: apart(received, [...own]),
    details: [...missing.slice(0, 10), ...follower.state],
  };
}
