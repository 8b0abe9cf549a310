import { randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { fillWithEndpoints } from "@/e2e/support/large-organization";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { listAlerts as alertsContract } from "@/lib/alerts/contract";
import { listAlerts } from "@/lib/alerts/list";
import { listApiKeys as keysContract } from "@/lib/api-keys/contract";
import { listApiKeys } from "@/lib/api-keys/list";
import { listCertificates as certificatesContract } from "@/lib/certificates/contract";
import { listCertificates } from "@/lib/certificates/inventory/list-certificates";
import type { Page } from "@/lib/http/endpoint";
import { systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { listSubdomains as namesContract } from "@/lib/subdomains/contract";
import { listSubdomains } from "@/lib/subdomains/list-subdomains";

const server = sharedServer();
let organization: Organization;
let other: Organization;
beforeAll(async () => {
  [organization, other] = await Promise.all([newOrganization(server), newOrganization(server)]);
});

type Params = Record<string, string>;

/** All pages of a list, with few items per page. */
async function every<Item>(read: (params: Params) => Promise<Page<Item>>, params: Params): Promise<Item[]> {
  const found: Item[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Page<Item> = await read({ limit: "2", ...params, ...(cursor !== "" && { cursor }) });
    expect(page.items.length).toBeLessThanOrEqual(2);
    found.push(...page.items);
    cursor = page.nextCursor;
  }
  return found;
}

const keysOf = ({ id }: Organization, params: Params) =>
  every((asked) => listApiKeys(systemPrincipal(id), keysContract.query.parse(asked)), params);
const certificatesOf = ({ id }: Organization, params: Params) =>
  every((asked) => listCertificates(systemPrincipal(id), certificatesContract.query.parse(asked)), params);
const namesOf = ({ id }: Organization, params: Params) =>
  every((asked) => listSubdomains(systemPrincipal(id), namesContract.query.parse(asked)), params);
const alertsOf = ({ id }: Organization, params: Params) =>
  every((asked) => listAlerts(systemPrincipal(id), alertsContract.query.parse(asked)), params);

test("keys by name in natural order, by last use with unused ones first, and by expiry with endless ones last", async () => {
  const day = (n: number) => new Date(Date.UTC(2099, 0, n));
  const uses: [name: string, used: Date | null, expires: Date | null][] = [
    ["ci-10", day(3), day(5)],
    ["CI-2", null, null],
    ["ci-1", day(1), day(5)],
    ["deploy", null, null],
    ["backup", day(2), day(4)],
  ];
  for (const [name, used, expiresAt] of uses) {
    const { id } = await organization.newKey({ name, ...(expiresAt && { expiresAt }) });
    await query(server, "app", "UPDATE api_keys SET last_used_at = $2 WHERE id = $1", [id, used]);
  }
  const names = async (params: Params) => (await keysOf(organization, params)).map(({ name }) => name);
  const both = async (sort: string, usual: "asc" | "desc" = "asc") => {
    const forth = await names({ sort });
    expect(forth).toHaveLength(uses.length + 2);
    expect(await names({ sort, order: usual === "asc" ? "desc" : "asc" })).toEqual(forth.toReversed());
    return forth;
  };
  expect(await both("name")).toEqual(["Admin", "backup", "ci-1", "CI-2", "ci-10", "deploy", "Read"]);
  const byUse = await both("last_used");
  expect(byUse.slice(-3)).toEqual(["ci-1", "backup", "ci-10"]);
  expect(byUse.slice(0, 4)).toEqual(["Admin", "Read", "CI-2", "deploy"]);
  expect(await both("expiry")).toEqual(["backup", "ci-10", "ci-1", "Admin", "Read", "CI-2", "deploy"]);
  expect(await both("newest", "desc")).toEqual(await names({}));
  expect((await keysOf(other, { sort: "name" })).map(({ name }) => name)).toEqual(["Admin", "Read"]);
});

test("a changed name changes the place of a key", async () => {
  const key = await other.newKey({ name: "a key" });
  await other.admin.put(`/api-keys/${key.id}`, { name: "z key" });
  expect((await keysOf(other, { sort: "name" })).map(({ name }) => name)).toEqual(["Admin", "Read", "z key"]);
});

test("certificates by name in natural order, by expiry and by discovery, with filters", async () => {
  await fillWithEndpoints(server, organization.id, 11);
  for (const sort of ["name", "expiry", "discovered"]) {
    const usual = sort === "discovered" ? "desc" : "asc";
    const forth = (await certificatesOf(organization, { sort })).map(({ id }) => id);
    expect(new Set(forth).size).toBe(22);
    const back = await certificatesOf(organization, { sort, order: usual === "asc" ? "desc" : "asc" });
    expect(back.map(({ id }) => id)).toEqual(forth.toReversed());
  }
  const inUse = await certificatesOf(organization, { sort: "name", unused: "false" });
  expect(inUse.map(({ common_name }) => common_name)).toEqual(Array.from({ length: 11 }, (_, at) => `host-${at + 1}`));
  const expiries = (await certificatesOf(organization, { sort: "expiry" })).map(({ not_after }) => not_after);
  expect(expiries).toEqual(expiries.toSorted());
  expect(await certificatesOf(other, { sort: "name" })).toEqual([]);
});

test("certificates without a common name are sorted by what else they have, however long it is", async () => {
  const insert = (subject: string, commonName: string | null, sans: string[]) =>
    query(
      server,
      "app",
      `INSERT INTO certificates (organization_id, id, sha256, der, subject, common_name, issuer, serial_number, sans, not_before,
         not_after, key_type, signature_algorithm, is_ca, served_first, first_seen_at)
       VALUES ($1, $2, $6, '\\x00', $3, $4, 'CN=Issuer', '1', $5, now(), now(), 'ec', 'x', false, true, now())`,
      [other.id, newId(), subject, commonName, sans, randomBytes(32)],
    );
  await insert("CN=b", "1é".repeat(20_000), []);
  await insert("", null, ["a.example"]);
  await insert("O=Zebra", "", []);
  await insert("", null, []);
  const found = await certificatesOf(other, { sort: "name" });
  // Without any name, it is the id, which begins with digits.
  expect(found.map(({ subject, sans }) => subject || sans[0] || "none")).toEqual([
    "none",
    "CN=b",
    "a.example",
    "O=Zebra",
  ]);
});

test("alerts by subject in natural order and by time", async () => {
  const add = (subject: string, isResolved: boolean) =>
    query(
      server,
      "app",
      `INSERT INTO alerts (organization_id, id, rule_id, rule_name, subject_type, subject_id, subject_name, step, severity,
         causes, detail, opened_at, resolved_at, memory)
       VALUES ($1, $2, $3, 'Gone', 'monitor', $4, $5, 0, 'warning', '{monitor_down}', 'is down', now(), $6,
         '{"isReachability":false,"isMuted":false,"told":null,"notifiedAt":null,"flips":[],"isFlapping":false}')`,
      [organization.id, newId(), newId(), newId(), subject, isResolved ? new Date() : null],
    );
  for (const [at, subject] of ["shop10", "shop9", "Blog", "shop9"].entries()) await add(subject, at === 2);
  const subjects = async (params: Params) => (await alertsOf(organization, params)).map(({ subject }) => subject.name);
  expect(await subjects({ sort: "subject" })).toEqual(["Blog", "shop9", "shop9", "shop10"]);
  expect(await subjects({ sort: "subject", order: "desc", status: "unresolved" })).toEqual([
    "shop10",
    "shop9",
    "shop9",
  ]);
  expect(await subjects({ order: "asc" })).toEqual(["shop10", "shop9", "Blog", "shop9"]);
  expect(await subjects({})).toEqual(["shop9", "Blog", "shop9", "shop10"]);
  expect(await alertsOf(other, { sort: "subject" })).toEqual([]);
});

test("discovered names in natural order and by discovery, with filters", async () => {
  const domain = newId();
  await query(
    server,
    "app",
    `INSERT INTO domains (organization_id, id, name, challenge, interval_hours, created_at, updated_at)
     VALUES ($1, $2, 'example.test', 'x', 24, now(), now())`,
    [organization.id, domain],
  );
  for (const name of ["www10", "www9", "mail", "*.apps"]) {
    await query(
      server,
      "app",
      `INSERT INTO subdomains (organization_id, id, domain_id, name, wildcard, sources, first_seen_at, last_seen_at)
       VALUES ($1, $2, $3, $4, $5, '{dns}', now(), now())`,
      [organization.id, newId(), domain, `${name}.example.test`, name.startsWith("*")],
    );
  }
  const names = async (params: Params) =>
    (await namesOf(organization, params)).map(({ name }) => name.replace(".example.test", ""));
  expect(await names({ sort: "name" })).toEqual(["*.apps", "mail", "www9", "www10"]);
  expect(await names({ sort: "name", order: "desc", wildcard: "false" })).toEqual(["www10", "www9", "mail"]);
  expect(await names({})).toEqual(["*.apps", "mail", "www9", "www10"]);
  expect(await names({ order: "asc" })).toEqual(["www10", "www9", "mail", "*.apps"]);
  expect(await namesOf(other, { sort: "name" })).toEqual([]);
});

test.each(["/api-keys", "/certificates", "/alerts", "/subdomains"])(
  "%s: a cursor belongs to its order",
  async (path) => {
    const { read } = organization;
    const first = await read.get(`${path}?limit=1`);
    const cursor = first.pagination.next_cursor ?? "";
    expect(cursor).not.toBe("");
    for (const params of [`order=asc&cursor=${cursor}`, "sort=teapot", "order=up"]) {
      const refused = await read.get(`${path}?limit=1&${params}`);
      expect([refused.status, refused.error.code]).toEqual([400, "INVALID_REQUEST"]);
    }
  },
);

test("a forged position of a key that was never used is refused, unless it is a time or none", async () => {
  const { read } = organization;
  const first = await read.get("/api-keys?sort=last_used&limit=1");
  const [bound, used, id] = JSON.parse(Buffer.from(first.pagination.next_cursor ?? "", "base64url").toString("utf8"));
  expect(used).toBe("never");
  const after = (position: unknown[]) =>
    read.get(`/api-keys?sort=last_used&limit=1&cursor=${Buffer.from(JSON.stringify(position)).toString("base64url")}`);
  expect((await after([bound, "2099-01-01T00:00:00.000Z", id])).status).toBe(200);
  for (const forged of [null, "yesterday", "", 1]) expect((await after([bound, forged, id])).status).toBe(400);
});
