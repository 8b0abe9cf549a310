import { beforeAll, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { closedPort } from "@/e2e/support/stand-ins/test-servers";
import { systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { findSite } from "@/lib/sites/find-site";
import { siteAlerts, siteCertificates, siteIncidents, siteIssuances } from "@/lib/sites/site-events";

const server = sharedServer();
let organization: Organization;
let other: Organization;
beforeAll(async () => {
  [organization, other] = await Promise.all([newOrganization(server), newOrganization(server)]);
});

const find = ({ id }: Organization, host: string) => findSite(systemPrincipal(id), host);
/** Paused, so that nothing is requested. */
const watch = async ({ admin }: Organization, type: string, target: string) =>
  admin.post("/uptime", { name: target, type, target, paused: true });

test("a site is what an organization has of exactly one host", async () => {
  const host = `shop-${newId()}.example`;
  await organization.admin.post("/certificates/endpoints", { host, reported: true });
  await watch(organization, "http", `https://${host.toUpperCase()}:8443/health`);
  await watch(organization, "tcp", `${host}:5432`);
  await watch(organization, "http", `https://${host}.evil.test/`);
  await watch(organization, "http", `https://evil.test/https://${host}`);
  await watch(other, "http", `http://${host}/`);
  const site = await find(organization, host);
  expect(site?.endpoints.map((endpoint) => endpoint.host)).toEqual([host]);
  expect(site?.monitors.map(({ target }) => target).sort()).toEqual([
    `https://${host.toUpperCase()}:8443/health`,
    `${host}:5432`,
  ]);
  const theirs = await find(other, host);
  expect(theirs).toMatchObject({ endpoints: [], monitors: [{ target: `http://${host}/` }], name: null });
  expect(await find(other, `other-${host}`)).toBeNull();
});

test("monitors that ping the host or look it up belong to it", async () => {
  for (const [type, host] of [
    ["ping", `ping-${newId()}.example`],
    ["ping", "2001:db8::77"],
    ["dns", `dns-${newId()}.example`],
  ] as const) {
    const monitor = await watch(organization, "tcp", `ping-${newId()}.example:1`);
    const set = "UPDATE uptime_monitors SET type = $4, target = $3 WHERE organization_id = $1 AND id = $2";
    await query(server, "app", set, [organization.id, (monitor.data as { id: string }).id, host, type]);
    expect((await find(organization, host))?.monitors).toMatchObject([{ type, target: host }]);
  }
});

test("names that are not ASCII are found in both forms", async () => {
  const name = `bücher-${newId()}.example`;
  await watch(organization, "http", `https://${name}/`);
  expect((await find(organization, new URL(`http://${name}/`).hostname))?.monitors).toHaveLength(1);
});

test("events of a site are the organization's own, of the range", async () => {
  const port = await closedPort();
  const body = {
    name: newId(),
    type: "tcp",
    target: `127.0.0.1:${port}`,
    failure_threshold: 1,
    interval_seconds: 3600,
  };
  await organization.admin.post("/uptime", body);
  const site = await find(organization, "127.0.0.1");
  if (site === null) throw new Error("the site was not found");
  const [own, foreign] = [systemPrincipal(organization.id), systemPrincipal(other.id)];
  expect(await siteIncidents(own, site, 0)).toMatchObject([{ monitor: { name: body.name }, ended_at: null }]);
  expect(await siteIncidents(foreign, site, 0)).toEqual([]);
  expect(await siteAlerts(foreign, site, 0)).toEqual([]);
  const ended = "UPDATE uptime_incidents SET started_at = '2020-01-01', ended_at = '2020-01-02' WHERE monitor_id = $1";
  await query(server, "app", ended, [site.monitors[0]?.id]);
  expect(await siteIncidents(own, site, Date.parse("2020-01-03"))).toEqual([]);
  expect(await siteCertificates(own, site, 0)).toEqual([]);
});

test("issued certificates are those of the host and of wildcards that cover it", async () => {
  const domain = `d-${newId()}.example`;
  const [domainId, now] = [newId(), new Date()];
  const values = [organization.id, domainId, domain, now];
  await query(
    server,
    "app",
    `INSERT INTO domains (organization_id, id, name, challenge, interval_hours, created_at, updated_at)
     VALUES ($1, $2, $3, 'x', 24, $4, $4)`,
    values,
  );
  const issue = (names: string[], notBefore: Date) =>
    query(
      server,
      "app",
      `INSERT INTO issuances (organization_id, id, domain_id, key, names, issuer, not_before, not_after, sources, first_seen_at)
       VALUES ($1, $2::uuid, $3, decode(md5($2::uuid::text), 'hex'), $4, 'CN=Test', $5, $5, '{}', $5)`,
      [organization.id, newId(), domainId, names, notBefore],
    );
  await issue([`www.${domain}`, domain], now);
  await issue([`*.${domain}`], now);
  await issue([`mail.${domain}`], now);
  await issue([`www.${domain}`], new Date("2020-01-01"));
  const since = Date.parse("2021-01-01");
  const found = await siteIssuances(systemPrincipal(organization.id), `www.${domain}`, since);
  expect(found.map(({ names }) => names[0]).sort()).toEqual([`*.${domain}`, `www.${domain}`]);
  expect(await siteIssuances(systemPrincipal(other.id), `www.${domain}`, since)).toEqual([]);
});
