import { type ChildProcess, spawn } from "node:child_process";
import { createSecureContext, type SecureContext } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { alive } from "@/e2e/support/servers/processes";
import { startSealwatch } from "@/e2e/support/servers/sealwatch";
import { withoutWorker } from "@/e2e/support/servers/without-worker";
import { makeCertificate, type TestCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { closedPort, serveTls, type TestServer } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import { leaseDueEndpoints } from "@/lib/certificates/check/check-due";
import { newId } from "@/lib/ids";

// These tests stop and kill workers, and count their checks.
const server = await startSealwatch({ PROBE_ALLOWED_NETWORKS: "127.0.0.0/8" });
const testServers: TestServer[] = [];
const workers: ChildProcess[] = [];
let leaf: TestCertificate;

beforeAll(async () => {
  leaf = await makeCertificate({ name: "farm", sans: ["*.farm.test"] });
});

afterAll(async () => {
  for (const worker of workers) worker.kill("SIGKILL");
  await Promise.all(testServers.map(({ close }) => close()));
  await server.destroy();
});

/** TLS servers at every loopback address. A handshake takes `delayMs` and is counted by name. */
async function farm(delayMs: number) {
  const looks = new Map<string, number>();
  const [context, now] = [createSecureContext({ key: leaf.keyPem, cert: leaf.pem }), { atOnce: 0, most: 0 }];
  const SNICallback = (name: string, done: (error: Error | null, context?: SecureContext) => void) => {
    looks.set(name, (looks.get(name) ?? 0) + 1);
    now.most = Math.max(now.most, ++now.atOnce);
    setTimeout(() => {
      now.atOnce--;
      done(null, context);
    }, delayMs);
  };
  const testServer = await serveTls([leaf], { SNICallback }, "0.0.0.0");
  testServers.push(testServer);
  return { port: testServer.port, looks, now };
}

interface DueOptions {
  port: number;
  /** Their address; by default each has its own. */
  address?: string;
  /** Seconds since they became due. */
  sinceSeconds?: number;
}

/** Adds endpoints that are due now, as if they had been added long ago; returns their names. */
async function makeDue({ id }: Organization, count: number, { port, address, sinceSeconds = 0 }: DueOptions) {
  const names = Array.from({ length: count }, () => `${newId()}.farm.test`);
  const addresses = names.map((_, n) => address ?? `127.1.${n >> 8}.${n & 255}`);
  await query(
    server,
    "app",
    `INSERT INTO certificate_endpoints (organization_id, id, host, port, connect_to, served_chain, next_check_at, created_at, updated_at)
     SELECT $1, gen_random_uuid(), host, $4, address, '{}', now() - make_interval(secs => $5), now(), now()
     FROM unnest($2::text[], $3::text[]) AS made (host, address)`,
    [id, names, addresses, port, sinceSeconds],
  );
  return names;
}

async function uncheckedOf({ id }: Organization): Promise<Set<string>> {
  const text = "SELECT host FROM certificate_endpoints WHERE organization_id = $1 AND last_checked_at IS NULL";
  return new Set((await query<{ host: string }>(server, "app", text, [id])).map(({ host }) => host));
}

async function countUnchecked(organization: Organization): Promise<number> {
  return (await uncheckedOf(organization)).size;
}

/** Another worker, like that of a second machine. */
async function startWorker(): Promise<number> {
  const { app, audit } = server.databases;
  const { PATH, HOME } = process.env;
  const settings = { DATABASE_URL: app, AUDIT_DATABASE_URL: audit, PROBE_ALLOWED_NETWORKS: "127.0.0.0/8" };
  const worker = spawn(process.execPath, ["--import", "tsx", "server/worker.ts"], {
    env: { PATH, HOME, NODE_ENV: "production", LOG_LEVEL: "silent", ...settings },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  workers.push(worker);
  await new Promise((resolve) => worker.once("message", resolve));
  return worker.pid ?? 0;
}

test("a mass failure is logged for the operator, and nobody else is notified for half an hour", async () => {
  const organization = await newOrganization(server);
  const names = await makeDue(organization, 60, { port: await closedPort() });
  await query(
    server,
    "app",
    "UPDATE certificate_endpoints SET status = 'ok', reachability = 'reachable' WHERE organization_id = $1",
    [organization.id],
  );
  const look = (failing: string, failures: number) => {
    const text = `UPDATE certificate_endpoints SET next_check_at = now(), failing_since = ${failing} WHERE organization_id = $1`;
    return query(server, "app", text, [organization.id]).then(() =>
      until(`all have failed ${failures} times`, async () => {
        const rows = await query<{ status: string; reachability: string; least: number; count: number }>(
          server,
          "app",
          `SELECT status, reachability, min(failures) AS least, count(*)::integer AS count FROM certificate_endpoints
           WHERE organization_id = $1 GROUP BY 1, 2`,
          [organization.id],
        );
        return rows.every(({ least }) => least >= failures) && rows;
      }),
    );
  };
  const findings = () =>
    query(server, "app", "SELECT 1 FROM certificate_findings WHERE organization_id = $1", [organization.id]);
  const unchanged = [{ status: "ok", reachability: "reachable", count: names.length }];
  expect(await look("NULL", 1)).toMatchObject(unchanged);
  expect(await look("failing_since", 2)).toMatchObject(unchanged);
  expect(await findings()).toEqual([]);
  expect(server.output().stderr).toContain("many endpoints failed at once");
  const lost = [{ status: "unreachable", reachability: "unreachable", count: names.length }];
  expect(await look("now() - interval '31 minutes'", 3)).toMatchObject(lost);
  expect(await findings()).toHaveLength(names.length);
  // Otherwise they would become due again during the next tests.
  await query(server, "app", "DELETE FROM certificate_endpoints WHERE organization_id = $1", [organization.id]);
});

test("an address gets few checks at a time; all its endpoints are checked in the end", async () => {
  const organization = await newOrganization(server);
  // So long that a busy worker has eight at a time too.
  const { port, looks, now } = await farm(2_000);
  const names = await makeDue(organization, 60, { port, address: "127.2.0.1" });
  await until("all are checked", async () => (await countUnchecked(organization)) === 0);
  expect(now.most).toBe(8);
  expect(names.map((name) => looks.get(name))).toEqual(names.map(() => 1));
});

test("an organization with many endpoints does not delay another", async () => {
  const [big, small, late] = await Promise.all([1, 2, 3].map(() => newOrganization(server)));
  if (!big || !small || !late) throw new Error("no organizations");
  const port = await closedPort();
  await withoutWorker(server, async () => {
    await makeDue(big, 1000, { port, sinceSeconds: 3600 });
    await makeDue(small, 10, { port });
    const first = await leaseDueEndpoints(320, []);
    const of = ({ id }: Organization, leased = first) => leased.filter(({ organizationId }) => organizationId === id);
    expect([first.length, of(small).length]).toEqual([170, 10]);
    // Alone again, it may use all slots except those reserved for others; another organization gets the free ones.
    const second = await leaseDueEndpoints(150, of(big));
    expect(of(big, second)).toHaveLength(96);
    const running = of(big).concat(second);
    await makeDue(late, 20, { port });
    const third = await leaseDueEndpoints(32, running);
    expect([of(late, third).length, of(big, third).length]).toEqual([20, 0]);
    for (const { id } of [big, small, late])
      await query(server, "app", "DELETE FROM organizations WHERE id = $1", [id]);
  });
});

test("an endpoint whose check outlives its lease is not checked twice by the same worker", async () => {
  const organization = await newOrganization(server);
  await withoutWorker(server, async () => {
    await makeDue(organization, 2, { port: await closedPort() });
    const leased = await leaseDueEndpoints(320, []);
    expect(leased).toHaveLength(2);
    await query(server, "app", "UPDATE certificate_endpoints SET leased_until = now() WHERE organization_id = $1", [
      organization.id,
    ]);
    const [running, lost] = leased;
    if (!running || !lost) throw new Error("nothing was leased");
    expect(await leaseDueEndpoints(320, [running])).toMatchObject([{ id: lost.id }]);
    await query(server, "app", "DELETE FROM organizations WHERE id = $1", [organization.id]);
  });
});

test("a killed worker loses no endpoint", async () => {
  const organization = await newOrganization(server);
  const { port, looks } = await farm(300);
  const { names, unwritten } = await withoutWorker(server, async () => {
    const names = await makeDue(organization, 600, { port });
    const pid = await startWorker();
    await until("it has begun", () => looks.size > 300);
    process.kill(pid, "SIGKILL");
    await until("it is gone", () => alive([pid]).length === 0);
    const unwritten = await uncheckedOf(organization);
    expect(unwritten.size).toBeGreaterThan(0);
    return { names, unwritten };
  });
  await until("all are checked", async () => (await countUnchecked(organization)) === 0, 300_000);
  expect(names.filter((name) => !looks.has(name))).toEqual([]);
  // Only endpoints whose results the dead worker had not written are checked again.
  expect([...looks].filter(([name, times]) => times > 1 && !unwritten.has(name))).toEqual([]);
});

test("two workers share due endpoints, and check none twice", async () => {
  const organization = await newOrganization(server);
  const { port, looks } = await farm(50);
  await startWorker();
  const names = await makeDue(organization, 1500, { port });
  await until("all are checked", async () => (await countUnchecked(organization)) === 0, 600_000);
  expect(names.filter((name) => looks.get(name) !== 1)).toEqual([]);
});
