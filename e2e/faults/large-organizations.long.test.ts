import { afterAll, beforeAll, expect, test } from "vitest";
import { fillWithEndpoints, fillWithMonitors } from "@/e2e/support/large-organization";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import { byUrgency } from "@/lib/certificates/endpoint-statuses";
import { purgeOrganizations } from "@/lib/organizations/purge";
import { byUrgency as monitorsByUrgency } from "@/lib/uptime/monitors/urgency";

/** LARGE_ENDPOINTS=1000000 tests the size of the largest plan. */
const COUNT = Number(process.env.LARGE_ENDPOINTS ?? 100_000);

let server: Sealwatch;
let large: Organization;

beforeAll(async () => {
  server = await startSealwatch();
  large = await newOrganization(server);
  await query(server, "app", "UPDATE organizations SET plan = 'enterprise' WHERE id = $1", [large.id]);
  await fillWithMonitors(server, large.id, Math.min(COUNT, 100_000));
  await fillWithEndpoints(server, large.id, COUNT);
}, 1_800_000);
afterAll(() => server?.destroy());

/** The first pages of a list by urgency, as many as the rate limit allows. */
async function firstPages(path: string): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < 60 && (page === 0 || cursor !== null); page++) {
    const answer: Awaited<ReturnType<typeof large.read.get<{ id: string }[]>>> = await large.read.get<{ id: string }[]>(
      `${path}?sort=urgency&limit=200${cursor === null ? "" : `&cursor=${cursor}`}`,
    );
    if (answer.status === 429) break;
    seen.push(...answer.data.map(({ id }) => id));
    cursor = answer.pagination.next_cursor;
  }
  expect(seen.length).toBeGreaterThan(1_000);
  return seen;
}

const inOrder = async (text: string, byUrgency: readonly string[], count: number) =>
  (await query<{ id: string }>(server, "app", text, [large.id, byUrgency, count])).map(({ id }) => id);

test("long lists by urgency are in order, page by page", async () => {
  const endpoints = `SELECT e.id FROM certificate_endpoints e
    JOIN certificates c ON c.organization_id = e.organization_id AND c.id = e.certificate_id
    WHERE e.organization_id = $1 ORDER BY array_position($2, e.status), c.not_after, natural_key(e.host), e.id LIMIT $3`;
  const seen = await firstPages("/certificates/endpoints");
  expect(seen).toEqual(await inOrder(endpoints, byUrgency, seen.length));
  const monitors = `SELECT id FROM uptime_monitors WHERE organization_id = $1
    ORDER BY array_position($2, CASE WHEN paused_at IS NULL THEN status ELSE 'paused' END), natural_key(name), id LIMIT $3`;
  const seenMonitors = await firstPages("/uptime");
  expect(seenMonitors).toEqual(await inOrder(monitors, monitorsByUrgency, seenMonitors.length));
});

test("a rule with ten thousand open alerts is deleted, and they are resolved", async () => {
  const { id, admin } = await newOrganization(server);
  const body = { name: "Down", condition: { type: "monitor_down" }, steps: [{ severity: "warning" }] };
  const made = await admin.post<{ id: string }>("/alert-rules", body);
  expect(made.status, made.text).toBe(201);
  const alerts = `INSERT INTO alerts (organization_id, id, rule_id, rule_name, subject_type, subject_id, subject_name, step, severity,
      causes, detail, opened_at, memory)
    SELECT $1, gen_random_uuid(), $2, 'Down', 'monitor', gen_random_uuid(), 'shop-' || n, 0, 'warning', '{monitor_down}', 'is down', now(),
      '{"isReachability":true,"isMuted":false,"told":"warning","notifiedAt":null,"flips":[],"isFlapping":false}'
    FROM generate_series(1, 10000) AS n`;
  await query(server, "app", alerts, [id, made.data.id]);
  // A request does not wait for long while the worker evaluates the same rules.
  await until("the rule is deleted", async () => {
    const { status, text } = await admin.delete(`/alert-rules/${made.data.id}`);
    expect([200, 503], text).toContain(status);
    return status === 200;
  });
  const ended =
    "SELECT count(*)::integer AS count FROM alerts WHERE organization_id = $1 AND rule_id = $2 AND resolved_at IS NOT NULL";
  expect(await query(server, "app", ended, [id, made.data.id])).toEqual([{ count: 10_000 }]);
});

test("the purge of a large organization runs in steps, does not delay others, continues after a kill, and has one event", async () => {
  const small = await newOrganization(server);
  const due =
    "UPDATE organizations SET deletion_requested_at = now(), deletion_due_at = now() - $2::interval WHERE id = $1";
  // The large one is due first.
  await query(server, "app", due, [large.id, "1 day"]);
  await query(server, "app", due, [small.id, "0 days"]);
  const isThere = async ({ id }: Organization) =>
    (await query(server, "app", "SELECT FROM organizations WHERE id = $1", [id])).length > 0;
  const left = async () => {
    const text = "SELECT count(*)::integer AS count FROM certificates WHERE organization_id = $1";
    return (await query<{ count: number }>(server, "app", text, [large.id]))[0]?.count ?? 0;
  };
  const killed = new AbortController();
  const purging = purgeOrganizations(killed.signal);
  await until("certificates vanish in steps that commit", async () => (await left()) < 2 * COUNT, 1_200_000);
  server.kill("worker");
  killed.abort();
  await purging;
  if (COUNT > 50_000) expect(await isThere(large)).toBe(true);
  const began = Date.now();
  await until(
    "both are gone",
    async () => {
      await purgeOrganizations(new AbortController().signal);
      return !((await isThere(large)) || (await isThere(small)));
    },
    3_000_000,
  );
  console.log(`${COUNT} endpoints: the rest took ${Date.now() - began} ms`);
  const purges = "SELECT resource_id FROM audit_events WHERE action = 'organization.purge'";
  const recorded = await query<{ resource_id: string }>(server, "audit", purges);
  expect(recorded.map(({ resource_id }) => resource_id).sort()).toEqual([large.id, small.id].sort());
}, 3_600_000);
