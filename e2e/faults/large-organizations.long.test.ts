import { afterAll, beforeAll, expect, test } from "vitest";
import { query } from "@/e2e/support/databases";
import { fillWithEndpoints } from "@/e2e/support/large-organization";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { type Sealwatch, startSealwatch } from "@/e2e/support/sealwatch";
import { until } from "@/e2e/support/until";
import type { CertificateEndpoint } from "@/lib/certificates/contract";
import { byUrgency } from "@/lib/certificates/urgency";
import { purgeOrganizations } from "@/lib/organizations/purge";

/** LARGE_ENDPOINTS=1000000 tries what the largest plan sells. */
const COUNT = Number(process.env.LARGE_ENDPOINTS ?? 100_000);

let server: Sealwatch;
let large: Organization;

beforeAll(async () => {
  server = await startSealwatch();
  large = await newOrganization(server);
  await query(server, "app", "UPDATE organizations SET plan = 'enterprise' WHERE id = $1", [large.id]);
  await fillWithEndpoints(server, large.id, COUNT);
}, 1_800_000);
afterAll(() => server?.destroy());

test("lists by urgency are in order, page by page, however many there are", async () => {
  const seen: CertificateEndpoint[] = [];
  const path = "/certificates/endpoints?sort=urgency&limit=200";
  let cursor: string | null = null;
  for (let page = 0; page < 120 && (page === 0 || cursor !== null); page++) {
    const answer: Awaited<ReturnType<typeof large.read.get<CertificateEndpoint[]>>> = await large.read.get<
      CertificateEndpoint[]
    >(cursor === null ? path : `${path}&cursor=${cursor}`);
    if (answer.status === 429) break;
    seen.push(...answer.data);
    cursor = answer.pagination.next_cursor;
  }
  const expected = await query<{ id: string }>(
    server,
    "app",
    `SELECT e.id FROM certificate_endpoints e JOIN certificates c ON c.organization_id = e.organization_id AND c.id = e.certificate_id
     WHERE e.organization_id = $1 ORDER BY array_position($2, e.status), c.not_after, e.host, e.id LIMIT $3`,
    [large.id, byUrgency, seen.length],
  );
  expect(seen.length).toBeGreaterThan(1_000);
  expect(seen.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
}, 600_000);

test("a large organization is purged in steps, keeps no other waiting, goes on where it was killed, and is on record once", async () => {
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
