import { expect, test } from "vitest";
import { fillWithMonitors } from "@/e2e/support/large-organization";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import type { Monitor } from "@/lib/uptime/contract";
import { byUrgency } from "@/lib/uptime/monitors/urgency";

const server = sharedServer();

async function filled(count: number): Promise<Organization> {
  const organization = await newOrganization(server);
  await fillWithMonitors(server, organization.id, count);
  return organization;
}

async function listed({ read }: Organization, params: Record<string, string>): Promise<Monitor[]> {
  const found: Monitor[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const sent = new URLSearchParams({ sort: "urgency", ...params, ...(cursor !== "" && { cursor }) });
    const answer: Awaited<ReturnType<typeof read.get<Monitor[]>>> = await read.get<Monitor[]>(`/uptime?${sent}`);
    found.push(...answer.data);
    cursor = answer.pagination.next_cursor;
  }
  return found;
}

/** Sorts by the table's values, not by the column that triggers maintain. */
async function expected({ id }: Organization): Promise<string[]> {
  const rows = await query<{ id: string }>(
    server,
    "app",
    `SELECT id FROM uptime_monitors WHERE organization_id = $1
     ORDER BY array_position($2, CASE WHEN paused_at IS NULL THEN status ELSE 'paused' END), natural_key(name), id`,
    [id, byUrgency],
  );
  return rows.map((row) => row.id);
}

const ids = (monitors: readonly Monitor[]) => monitors.map(({ id }) => id);

test("monitors by urgency: those that are down first, paused ones last, then by name, page by page", async () => {
  const organization = await filled(40);
  const found = await listed(organization, { limit: "7" });
  expect(ids(found)).toEqual(await expected(organization));
  expect([found[0]?.status, found.at(-1)?.status]).toEqual(["down", "paused"]);
  // Rows that are not written by our code, such as those of an older release, are sorted too.
  const change = (assigned: string, where: string) =>
    query(server, "app", `UPDATE uptime_monitors SET ${assigned} WHERE organization_id = $1 AND ${where}`, [
      organization.id,
    ]);
  await change("status = 'down'", "name LIKE 'monitor 1%'");
  await change("paused_at = now()", "name LIKE 'monitor 2%'");
  await change("paused_at = NULL", "name LIKE 'monitor 3%'");
  expect(ids(await listed(organization, { limit: "200" }))).toEqual(await expected(organization));
});

test("a filter and a cursor work with the requested order", async () => {
  const organization = await filled(30);
  const all = await listed(organization, {});
  for (const [name, value] of [
    ["status", "paused"],
    ["status", "down"],
    ["tag", "tag-1"],
  ] as const) {
    const fits = ({ status, tags }: Monitor) => (name === "status" ? status === value : tags.includes(value));
    const found = await listed(organization, { [name]: value, limit: "2" });
    expect(found.length).toBeGreaterThan(2);
    expect(ids(found)).toEqual(ids(all.filter(fits)));
  }
  const first = await organization.read.get("/uptime?sort=urgency&limit=2");
  const cursor = first.pagination.next_cursor ?? "";
  for (const params of [`sort=newest&cursor=${cursor}`, `cursor=${cursor}`, "sort=grave"]) {
    const refused = await organization.read.get(`/uptime?${params}`);
    expect([refused.status, refused.error.code]).toEqual([400, "INVALID_REQUEST"]);
  }
});

test("a filter by status finds every monitor of it, also those whose urgency is not filled in yet", async () => {
  const organization = await filled(30);
  const unfilled = "UPDATE uptime_monitors SET urgency = 9 WHERE organization_id = $1 AND name LIKE 'monitor 1%'";
  await query(server, "app", unfilled, [organization.id]);
  const all = await listed(organization, { sort: "newest" });
  for (const status of byUrgency) {
    const found = await listed(organization, { sort: "newest", status, limit: "2" });
    expect(found.length).toBeGreaterThan(0);
    expect(ids(found)).toEqual(ids(all.filter((monitor) => monitor.status === status)));
  }
});

test("monitors by name in natural order, in both directions, page by page", async () => {
  const organization = await filled(30);
  const names = Array.from({ length: 30 }, (_, at) => `monitor ${at + 1}`);
  const forth = await listed(organization, { sort: "name", limit: "7" });
  expect(forth.map(({ name }) => name)).toEqual(names);
  const back = await listed(organization, { sort: "name", order: "desc", limit: "7" });
  expect(ids(back)).toEqual(ids(forth).reverse());
  const urgent = await listed(organization, { limit: "7" });
  const up = urgent.filter(({ status }) => status === "up").map(({ name }) => name);
  expect(up).toEqual(names.filter((_, at) => (at + 1) % 3 === 0 && (at + 1) % 5 !== 0));
  expect(ids(await listed(organization, { order: "desc", limit: "7" }))).toEqual(ids(urgent).reverse());
});
