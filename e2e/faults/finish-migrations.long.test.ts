import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillWithEndpoints, fillWithMonitors, missingIndexes } from "@/e2e/support/large-organization";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import type { Certificate, CertificateDetail, CertificateEndpoint } from "@/lib/certificates/contract";
import { fillUsages } from "@/lib/certificates/record/fill-usages";
import { configure } from "@/lib/config";
import { finishMigrations } from "@/lib/db/finish-migrations";
import { anyDueSql } from "@/lib/jobs/tasks";
import "@/lib/uptime/checks/check-due";
import type { Monitor } from "@/lib/uptime/contract";
import { sealHeaders } from "@/lib/uptime/seal-headers";
import { openSecrets } from "@/lib/uptime/secrets";

const INDEX = "certificate_endpoints_organization_id_urgency_expires_at_na_idx";

let server: Sealwatch;
let organization: Organization;

beforeAll(async () => {
  server = await startSealwatch();
  organization = await newOrganization(server);
  await fillWithEndpoints(server, organization.id, 30);
});
afterAll(() => server?.destroy());

const finish = () => finishMigrations(new AbortController().signal);

test("rows older than a migration are listed last, sorted at their next write, and filled in by the worker", async () => {
  const list = async () => {
    const { data } = await organization.read.get<CertificateEndpoint[]>("/certificates/endpoints?sort=urgency");
    return data.map(({ id }) => id);
  };
  const sorted = await list();
  const [first = ""] = sorted;
  // As the migration leaves them.
  const unfilled = "UPDATE certificate_endpoints SET urgency = 9, expires_at = '9999-12-31T23:59:59.999Z'";
  await query(server, "app", `${unfilled} WHERE organization_id = $1 AND id = $2`, [organization.id, first]);
  expect((await list()).at(-1)).toBe(first);
  await query(server, "app", "UPDATE certificate_endpoints SET last_checked_at = now() WHERE id = $1", [first]);
  expect(await list()).toEqual(sorted);
  await query(server, "app", unfilled);
  expect(await list()).not.toEqual(sorted);
  await finish();
  expect(await list()).toEqual(sorted);
});

test("a look for due monitors reads no paused ones, however many there are", async () => {
  await fillWithMonitors(server, organization.id, 20_000);
  const pause = `UPDATE uptime_monitors SET next_check_at = now() - interval '1 hour', paused_at = now()
    WHERE organization_id = $1 AND right(name, 1) IN ('1', '3', '5', '7', '9')`;
  await query(server, "app", pause, [organization.id]);
  await query(server, "app", "ANALYZE uptime_monitors");
  const plan = await query<{ "QUERY PLAN": string }>(server, "app", `EXPLAIN SELECT ${anyDueSql("uptime_check")}`);
  const lines = plan.map((line) => line["QUERY PLAN"]).join("\n");
  expect(lines).toContain("uptime_monitors_due_idx");
  await query(server, "app", "DELETE FROM uptime_monitors WHERE organization_id = $1", [organization.id]);
});

test("names older than a migration are filled in by the worker, too", async () => {
  const path = "/certificates/endpoints?sort=name";
  const list = async () => (await organization.read.get<CertificateEndpoint[]>(path)).data.map(({ id }) => id);
  const sorted = await list();
  await query(server, "app", "UPDATE certificate_endpoints SET name_key = '' WHERE id = $1", [sorted.at(-1)]);
  expect((await list())[0]).toBe(sorted.at(-1));
  await finish();
  expect(await list()).toEqual(sorted);
});

test("usages of certificates older than a migration are read by the worker, also of those that can no longer be parsed", async () => {
  const known = "1.3.6.1.5.5.7.3.";
  const leaf = await makeCertificate({ name: "old.test", purposes: [`${known}1`, `${known}2`] });
  const { data } = await organization.admin.post<CertificateDetail>("/certificates", { pem: leaf.pem });
  const unread = "UPDATE certificates SET is_usage_known = false, extended_key_usages = '{}', key_usages = '{}'";
  await query(server, "app", unread);
  const list = async () => (await organization.read.get<Certificate[]>("/certificates?usage=client_auth")).data;
  const read = async () => (await organization.read.get<CertificateDetail>(`/certificates/${data.id}`)).data;
  expect(await list()).toEqual([]);
  expect(await read()).toMatchObject({ extended_key_usages: null });
  await finishMigrations(new AbortController().signal, [fillUsages]);
  expect((await list()).map(({ id }) => id)).toEqual([data.id]);
  expect(await read()).toMatchObject({ extended_key_usages: ["server_auth", "client_auth"] });
  expect(await query(server, "app", "SELECT FROM certificates WHERE NOT is_usage_known")).toEqual([]);
});

test("headers of monitors older than their encryption are encrypted, also alongside encrypted secrets", async () => {
  configure({ ENCRYPTION_KEY: readFileSync(join(server.dataDir, "encryption.key"), "utf8").trim() });
  const input = { name: "old", type: "http", target: "https://site.example.test/", paused: true };
  const token = { type: "bearer", token: "t0ken" };
  const { data } = await organization.admin.post<Monitor>("/uptime", { ...input, authentication: token });
  const plain = "UPDATE uptime_monitors SET headers = $2 WHERE id = $1";
  await query(server, "app", plain, [data.id, { "x-b": "s3cret" }]);
  const aged = "UPDATE _prisma_migrations SET finished_at = now() - interval '2 hours' WHERE migration_name LIKE $1";
  const read = "SELECT * FROM uptime_monitors WHERE headers = '{}' AND id = $1";
  await query(server, "app", aged.replace("2 hours", "1 minute"), ["%monitor_secrets"]);
  await finishMigrations(new AbortController().signal, [sealHeaders]);
  expect(await query(server, "app", read, [data.id])).toEqual([]);
  await query(server, "app", aged, ["%monitor_secrets"]);
  await finishMigrations(new AbortController().signal, [sealHeaders]);
  const [row] = await query<{ secrets: Buffer; header_names: string[] }>(server, "app", read, [data.id]);
  const opened = openSecrets({
    organizationId: organization.id,
    id: data.id,
    headers: {},
    secrets: row?.secrets ?? null,
  });
  expect([row?.header_names, opened]).toEqual([["x-b"], { headers: { "x-b": "s3cret" }, authentication: token }]);
});

test("a monitor whose secrets cannot be decrypted does not keep the headers of others from being encrypted", async () => {
  const input = { type: "http", target: "https://site.example.test/", paused: true };
  const authentication = { type: "bearer", token: "t0ken" };
  const add = async (name: string) => {
    const { data } = await organization.admin.post<Monitor>("/uptime", { ...input, name, authentication });
    await query(server, "app", "UPDATE uptime_monitors SET headers = $2 WHERE id = $1", [data.id, { "x-b": "s3cret" }]);
    return data.id;
  };
  const [unreadable, other] = [await add("unreadable"), await add("other")];
  await query(server, "app", "UPDATE uptime_monitors SET secrets = $2 WHERE id = $1", [unreadable, Buffer.alloc(64)]);
  await finishMigrations(new AbortController().signal, [sealHeaders]);
  const plain = "SELECT id FROM uptime_monitors WHERE headers <> '{}' AND id = ANY ($1::uuid[])";
  expect(await query(server, "app", plain, [[unreadable, other]])).toEqual([{ id: unreadable }]);
});

test("a missing or half-built index is built, by one process at a time", async () => {
  await query(server, "app", `DROP INDEX ${INDEX}`);
  await Promise.all([finish(), finish()]);
  expect(await missingIndexes(server)).toEqual([]);
  await query(server, "app", `DROP INDEX ${INDEX}`);
  const broken = `CREATE UNIQUE INDEX CONCURRENTLY ${INDEX} ON certificate_endpoints (organization_id)`;
  await expect(query(server, "app", broken)).rejects.toThrow("could not create unique index");
  expect(await missingIndexes(server)).toEqual([INDEX]);
  await finish();
  expect(await missingIndexes(server)).toEqual([]);
});

test("an index of an earlier release is dropped when the one that replaces it is there", async () => {
  const former = "uptime_monitors_organization_id_urgency_name_idx";
  await query(server, "app", `CREATE INDEX ${former} ON uptime_monitors (organization_id, urgency, name)`);
  await finish();
  expect(await query(server, "app", `SELECT to_regclass('${former}') AS former`)).toEqual([{ former: null }]);
  expect(await missingIndexes(server)).toEqual([]);
});
