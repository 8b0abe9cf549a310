import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { open } from "@/e2e/audit/open";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { closedPort } from "@/e2e/support/stand-ins/test-servers";
import { unlessBusy, until } from "@/e2e/support/until";
import { utcDay } from "@/lib/text/dates";
import { unsent } from "@/lib/uptime/checks/outcome";
import { createDayPartitions, expireChecks } from "@/lib/uptime/checks/partitions";
import { recordOutcomes } from "@/lib/uptime/checks/record-outcomes";
import type { Monitor } from "@/lib/uptime/contract";

const server = sharedServer();
const never = new AbortController().signal;
/** Of two requests of a group that allows 100 a minute. */
const MAX_ROUNDS = 40;

const hasDay = async (day: string) => {
  const name = `partitions.uptime_checks_${day.replaceAll("-", "")}`;
  const [row] = await query<{ has: boolean }>(server, "app", "SELECT to_regclass($1) IS NOT NULL AS has", [name]);
  return row?.has === true;
};

/** An organization with a monitor that can be checked. */
async function newMonitor() {
  const organization = await newOrganization(server);
  const sent = { name: "Closed", type: "tcp", target: `127.0.0.1:${await closedPort()}` };
  const { data } = await organization.admin.post<Monitor>("/uptime", sent);
  return { ...organization, monitorId: data.id };
}

test("dropping old uptime checks waits for their readers and delays nothing else; then they are dropped", async () => {
  const { admin, monitorId } = await newMonitor();
  const day = "2001-02-03";
  await createDayPartitions(day);
  const reader = new pg.Client({ connectionString: server.databases.app });
  await reader.connect();
  onTestFinished(() => reader.end());
  await reader.query("BEGIN");
  await reader.query("SELECT FROM uptime_checks LIMIT 1");
  let isDropping = true;
  const dropping = expireChecks(never).finally(() => {
    isDropping = false;
  });
  const statuses = new Set<number>();
  // No more than the limits of the group allow.
  for (let round = 0; round < MAX_ROUNDS && isDropping; round++) {
    statuses.add((await admin.post(`/uptime/${monitorId}/check`)).status);
    statuses.add((await admin.get(`/uptime/${monitorId}/checks`)).status);
  }
  await dropping;
  expect([...statuses]).toEqual([200]);
  expect(await hasDay(day)).toBe(true);
  // A day that comes is made meanwhile.
  await createDayPartitions("2001-02-04");
  await reader.end();
  await until("they are dropped", async () => {
    await expireChecks(never);
    return !((await hasDay(day)) || (await hasDay("2001-02-04")));
  });
});

test("a worker whose clock is ahead drops no checks that are still shown", async () => {
  const { admin, monitorId } = await newMonitor();
  expect((await admin.post(`/uptime/${monitorId}/check`)).status).toBe(200);
  const days = [utcDay(Date.now()), utcDay(Date.now() - 3 * 86_400_000)];
  for (const day of days) await createDayPartitions(day);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 9 * 86_400_000 });
  try {
    await expireChecks(never);
  } finally {
    vi.useRealTimers();
  }
  for (const day of days) expect(await hasDay(day), day).toBe(true);
  const checks = "SELECT FROM uptime_checks WHERE monitor_id = $1";
  expect((await query(server, "app", checks, [monitorId])).length).toBeGreaterThan(0);
});

test("a check is recorded although another process has dropped the partition of its day", async () => {
  const { id: organizationId, monitorId } = await newMonitor();
  // A day that no other test uses, because it is dropped.
  const at = Date.now() + 40 * 86_400_000;
  const result = { organizationId, monitorId, version: 1, outcome: { ...unsent("timeout"), at: new Date(at) } };
  expect(await recordOutcomes([result])).toHaveLength(1);
  const name = `partitions.uptime_checks_${utcDay(at).replaceAll("-", "")}`;
  await query(server, "app", `DROP TABLE ${name}`);
  const later = { ...result, outcome: { ...result.outcome, at: new Date(at + 1) } };
  expect(await recordOutcomes([later])).toHaveLength(1);
  expect(await hasDay(utcDay(at))).toBe(true);
});

test("a slow reader of an organization's export holds no lock and no snapshot", async () => {
  const { id, adminKey } = await newMonitor();
  await query(
    server,
    "app",
    `INSERT INTO certificates (organization_id, id, sha256, der, subject, issuer, serial_number, sans, not_before, not_after, key_type,
       signature_algorithm, is_ca, served_first, first_seen_at)
     SELECT $1, gen_random_uuid(), sha256(n::text::bytea), convert_to(repeat('x', 2000), 'UTF8'), n::text, 'Issuer', '1', '{}', now(), now(), 'ec',
       'ecdsa', false, true, now() FROM generate_series(1, 5000) AS n`,
    [id],
  );
  const headers = { authorization: `Bearer ${adminKey.secret}` };
  const file = await unlessBusy(() => open(server.url, `/organizations/${id}/export`, headers));
  await until("the export has to wait for us", () => file.unsent() > 100_000);
  const held = await until("only quick statements and transactions are under way", async () => {
    const long = `SELECT query FROM pg_stat_activity WHERE application_name LIKE 'sealwatch%' AND state <> 'idle'
      AND xact_start IS NOT NULL AND query ~ 'row_to_json|COPY'`;
    return (await query(server, "app", long)).length === 0;
  });
  expect(held).toBe(true);
  await createDayPartitions("2001-03-04");
  await until("a day is dropped in the middle of it", async () => {
    await expireChecks(never);
    return !(await hasDay("2001-03-04"));
  });
  const lines = (await file.read()).toString("utf8").trimEnd().split("\n");
  const rows = lines.slice(0, -1).map((line) => JSON.parse(line) as { table: string; row: { id: string } });
  expect(new Set(rows.filter(({ table }) => table === "certificates").map(({ row }) => row.id)).size).toBe(5_000);
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ export: { rows: lines.length - 1 } });
});
