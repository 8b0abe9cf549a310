import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { Cluster } from "@/e2e/support/servers/cluster";
import { hasPgBouncer, PgBouncer } from "@/e2e/support/servers/pgbouncer";
import { prepareSealwatch, runStart, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { connectClient } from "@/lib/db/connections";
import { sharesSessions } from "@/server/database/pooler";

describe.skipIf(!hasPgBouncer)("PgBouncer", () => {
  let cluster: Cluster;
  const started: PgBouncer[] = [];

  beforeAll(async () => {
    cluster = await Cluster.create();
  });
  afterAll(async () => {
    await Promise.all(started.map((bouncer) => bouncer.stop()));
    await cluster.destroy();
  });

  async function start(settings: Parameters<typeof PgBouncer.start>[1]): Promise<PgBouncer> {
    const bouncer = await PgBouncer.start([cluster.url("app"), cluster.url("audit"), cluster.auditWebUrl], settings);
    started.push(bouncer);
    return bouncer;
  }

  async function shares(url: string): Promise<boolean> {
    const client = await connectClient(url, "write");
    try {
      return await sharesSessions(url, client);
    } finally {
      await client.end();
    }
  }

  test.each([
    [{ pool_mode: "transaction", default_pool_size: 1 }, true],
    [{ pool_mode: "transaction", default_pool_size: 20 }, true],
    [{ pool_mode: "transaction", default_pool_size: 20, server_round_robin: 1 }, true],
    [{ pool_mode: "statement" }, true],
    [{ pool_mode: "session", default_pool_size: 20 }, false],
  ])("with %j shares sessions: %s", async (settings, shared) => {
    const url = (await start(settings)).url(cluster.url("app"));
    expect(await shares(url)).toBe(shared);
    // With connections to PostgreSQL that other clients have used before.
    const clients = await Promise.all([1, 2, 3, 4, 5].map(() => connectClient(url, "write")));
    await Promise.all(clients.map((client) => client.query("SELECT pg_sleep(0.05)")));
    expect(await shares(url)).toBe(shared);
    await Promise.all(clients.map((client) => client.end()));
  });

  test("is not confused with PostgreSQL itself", async () => {
    expect(await shares(cluster.url("app"))).toBe(false);
  });

  test.each(["transaction", "statement"])("in %s mode is refused at the start, with the remedy", async (pool_mode) => {
    const bouncer = await start({ pool_mode });
    const { env } = await prepareSealwatch({
      DATABASE_URL: bouncer.url(cluster.url("app")),
      AUDIT_DATABASE_URL: cluster.url("audit"),
    });
    const { code, stdout, stderr } = await runStart(["--cli", "org", "list"], env);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^DATABASE_URL: the database sealwatch at 127\.0\.0\.1:\d+ is reached through a connection pooler .*pool_mode = session/,
    );
    expect(stderr).not.toMatch(/^ +at /m);
  });

  test("in session mode works for everything", async () => {
    const bouncer = await start({ pool_mode: "session", default_pool_size: 90 });
    const server = await startSealwatch({
      DATABASE_URL: bouncer.url(cluster.url("app")),
      AUDIT_DATABASE_URL: bouncer.url(cluster.auditWebUrl),
      AUDIT_MAINTENANCE_DATABASE_URL: bouncer.url(cluster.url("audit")),
    });
    try {
      expect(server.output().stderr).not.toContain("may change or delete audit events");
      const { admin, id } = await newOrganization(server);
      const made = await admin.post("/api-keys", { name: "Through a pooler" });
      expect(made.status).toBe(201);
      expect((await admin.get(`/audit-logs/${made.requestId}`)).data).toMatchObject({
        resource: { action: "api_key.create" },
        authentication: { organization_id: id },
      });
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      const list = await server.cli<{ id: string }[]>("org", "list");
      expect(list.map((organization) => organization.id)).toContain(id);
    } finally {
      await server.destroy();
    }
  });
});
