import { expect, test } from "vitest";
import { fillWithEndpoints } from "@/e2e/support/large-organization";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import type { CertificateEndpoint } from "@/lib/certificates/contract";
import { byUrgency } from "@/lib/certificates/endpoint-statuses";

const server = sharedServer();

async function listed({ read }: Organization, params: Record<string, string>): Promise<CertificateEndpoint[]> {
  const found: CertificateEndpoint[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const sent = new URLSearchParams({ sort: "urgency", ...params, ...(cursor !== "" && { cursor }) });
    const answer: Awaited<ReturnType<typeof read.get<CertificateEndpoint[]>>> = await read.get<CertificateEndpoint[]>(
      `/certificates/endpoints?${sent}`,
    );
    found.push(...answer.data);
    cursor = answer.pagination.next_cursor;
  }
  return found;
}

/** Sorts by the tables' values, not by the column that triggers maintain. */
async function expected({ id }: Organization): Promise<string[]> {
  const rows = await query<{ id: string }>(
    server,
    "app",
    `SELECT e.id FROM certificate_endpoints e
     LEFT JOIN certificates c ON c.organization_id = e.organization_id AND c.id = e.certificate_id
     WHERE e.organization_id = $1 ORDER BY array_position($2, e.status), c.not_after NULLS LAST,
       natural_key(e.host), e.port, e.id`,
    [id, byUrgency],
  );
  return rows.map((row) => row.id);
}

const ids = (endpoints: readonly CertificateEndpoint[]) => endpoints.map(({ id }) => id);

test("endpoints by urgency: the most severe first, then by expiry, then by name, page by page", async () => {
  const organization = await newOrganization(server);
  await fillWithEndpoints(server, organization.id, 60);
  const change = (columns: string, where: string) =>
    query(server, "app", `UPDATE certificate_endpoints SET ${columns} WHERE organization_id = $1 AND ${where}`, [
      organization.id,
    ]);
  const found = await listed(organization, { limit: "7" });
  expect(ids(found)).toEqual(await expected(organization));
  expect(found.slice(0, 6).map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => "critical"));
  expect(ids(await listed(organization, { limit: "200" }))).toEqual(ids(found));
  // Rows that are not written by our code, such as those of an older release, are sorted too.
  await change("status = 'pending', certificate_id = NULL", "host LIKE 'host-1%'");
  await change("status = 'critical'", "host LIKE 'host-2%'");
  expect(ids(await listed(organization, { limit: "7" }))).toEqual(await expected(organization));
});

test("a filter, a search and a cursor work with the requested order", async () => {
  const organization = await newOrganization(server);
  await fillWithEndpoints(server, organization.id, 30);
  const all = await listed(organization, {});
  for (const params of [{ status: "ok" }, { tag: "tag-3" }, { q: "host-2" }, { q: "host-7.example:443" }] as Record<
    string,
    string
  >[]) {
    const found = await listed(organization, { ...params, limit: "2" });
    const fits = (endpoint: CertificateEndpoint) =>
      (params.status === undefined || endpoint.status === params.status) &&
      (params.tag === undefined || endpoint.tags.includes(params.tag)) &&
      (params.q === undefined || `${endpoint.host}:${endpoint.port}`.includes(params.q));
    expect(found.length).toBeGreaterThan(0);
    expect(ids(found)).toEqual(ids(all.filter(fits)));
  }
  const first = await organization.read.get("/certificates/endpoints?sort=urgency&limit=2");
  const cursor = first.pagination.next_cursor ?? "";
  for (const params of [`sort=newest&cursor=${cursor}`, `cursor=${cursor}`, "sort=grave"]) {
    const refused = await organization.read.get(`/certificates/endpoints?${params}`);
    expect([refused.status, refused.error.code]).toEqual([400, "INVALID_REQUEST"]);
  }
});

test("a filter by status finds every endpoint of it, also those whose urgency is not filled in yet", async () => {
  const organization = await newOrganization(server);
  await fillWithEndpoints(server, organization.id, 30);
  const unfilled =
    "UPDATE certificate_endpoints SET urgency = 9 WHERE organization_id = $1 AND host LIKE 'host-2%' RETURNING id";
  expect(await query(server, "app", unfilled, [organization.id])).toHaveLength(11);
  const all = await listed(organization, { sort: "newest" });
  for (const status of byUrgency) {
    const found = await listed(organization, { sort: "newest", status, limit: "2" });
    expect(ids(found)).toEqual(ids(all.filter((endpoint) => endpoint.status === status)));
  }
});

test("endpoints by name in natural order, and by expiry, in both directions, page by page", async () => {
  const organization = await newOrganization(server);
  await fillWithEndpoints(server, organization.id, 30);
  const hosts = Array.from({ length: 30 }, (_, at) => `host-${at + 1}.example`);
  for (const sort of ["name", "expiry"]) {
    const forth = await listed(organization, { sort, limit: "7" });
    expect(forth.map(({ host }) => host)).toEqual(hosts);
    const back = await listed(organization, { sort, order: "desc", limit: "7" });
    expect(ids(back)).toEqual(ids(forth).reverse());
  }
  // Equal and unknown values.
  await query(server, "app", "UPDATE certificate_endpoints SET certificate_id = NULL WHERE organization_id = $1", [
    organization.id,
  ]);
  const unknown = await listed(organization, { sort: "expiry", limit: "7" });
  expect(ids(unknown)).toEqual(ids(await listed(organization, { sort: "expiry", order: "desc" })).reverse());
  expect(new Set(ids(unknown)).size).toBe(30);
  const urgent = await listed(organization, { limit: "7" });
  const fine = urgent.filter(({ status }) => status === "ok").map(({ host }) => host);
  expect(fine).toEqual(hosts.filter((_, at) => (at + 1) % 10 > 3));
  expect(ids(await listed(organization, { order: "desc", limit: "7" }))).toEqual(ids(urgent).reverse());
  const oldest = await listed(organization, { sort: "newest", order: "asc", limit: "7" });
  expect(ids(oldest)).toEqual(ids(oldest).sort());
});

test("a changed name changes the place of an endpoint, and a cursor belongs to its direction", async () => {
  const organization = await newOrganization(server);
  await fillWithEndpoints(server, organization.id, 3);
  const change = "UPDATE certificate_endpoints SET host = 'HOST-02.example' WHERE organization_id = $1 AND host = $2";
  await query(server, "app", change, [organization.id, "host-3.example"]);
  const found = await listed(organization, { sort: "name" });
  expect(new Set(found.slice(1).map(({ host }) => host))).toEqual(new Set(["host-2.example", "HOST-02.example"]));
  const first = await organization.read.get("/certificates/endpoints?sort=name&limit=1");
  const cursor = first.pagination.next_cursor ?? "";
  const refused = await organization.read.get(`/certificates/endpoints?sort=name&order=desc&limit=1&cursor=${cursor}`);
  expect([refused.status, refused.error.code]).toEqual([400, "INVALID_REQUEST"]);
});
