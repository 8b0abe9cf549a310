import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Callers } from "@/e2e/operations/upgrade/callers";
import { hasEarlierRelease, Release, unpackEarlierRelease } from "@/e2e/operations/upgrade/earlier-release";
import { fillEvents } from "@/e2e/support/fill-events";
import { Cluster } from "@/e2e/support/servers/cluster";
import { hasRedis, type RedisServer, startRedis } from "@/e2e/support/servers/redis";
import { runStart } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import { newId } from "@/lib/ids";
import { readManifest } from "@/server/backup/manifest";
import { readMigrations } from "@/server/database/migrate";

/** A multiple of 20. */
const EVENTS = Number(process.env.UPGRADE_EVENTS ?? 60_000);

describe.skipIf(!hasRedis || !hasEarlierRelease())("an upgrade from 0.1.0 with many events", () => {
  const folder = mkdtempSync(join(tmpdir(), "sealwatch-upgrade-"));
  const before = join(folder, "before");
  const backup = join(folder, "backup");
  let cluster: Cluster;
  let redis: RedisServer;
  let app: pg.Client;
  let audit: pg.Client;
  let old: Release;
  let filled: string[];
  const releases: Release[] = [];
  let env: Record<string, string>;

  beforeAll(async () => {
    chmodSync(folder, 0o711);
    [cluster, redis] = await Promise.all([Cluster.create({ migrated: false }), startRedis()]);
    await unpackEarlierRelease(before);
    env = {
      DATABASE_URL: cluster.url("app"),
      AUDIT_DATABASE_URL: cluster.url("audit"),
      REDIS_URL: redis.url,
      SESSION_SECRET: randomBytes(32).toString("base64"),
      ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      PUBLIC_URL: "http://127.0.0.1:8080",
      PROBE_ALLOWED_NETWORKS: "127.0.0.0/8",
    };
    old = await Release.start(env, before);
    releases.push(old);
    [app, audit] = (await Promise.all((["app", "audit"] as const).map((name) => connect(cluster.url(name))))) as [
      pg.Client,
      pg.Client,
    ];
    await app.query("INSERT INTO organizations (id, name, slug, created_at) VALUES ($1, 'Before', 'before', now())", [
      newId(),
    ]);
    // This release backs up the databases of the earlier one, and does not migrate them.
    expect(await runStart(["--cli", "backup", backup], env)).toMatchObject({ code: 0 });
    filled = await fillEvents({ app, audit }, { organizations: 20, events: EVENTS });
  });
  afterAll(async () => {
    await Promise.all([app?.end(), audit?.end()]);
    for (const { server } of releases) await server.destroy();
    await redis?.destroy();
    await cluster?.destroy();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });

  test("refuses no request and loses no event, neither on the way to this release nor on the way back", async () => {
    const callers = await Callers.create(app, env.SESSION_SECRET ?? "", env.PUBLIC_URL ?? "");
    callers.add(old.url);
    callers.begin();
    await callers.answered(100);

    // Migrates the databases that the earlier release uses.
    const now = await Release.start(env);
    releases.push(now);
    callers.add(now.url);
    await callers.answered(150);
    await callers.remove(old.url);
    await old.stop();
    await callers.answered(100);

    // One release back, on the migrated databases.
    await old.again();
    callers.add(old.url);
    await callers.answered(100);
    await callers.remove(now.url);
    await now.stop();
    await callers.answered(150);

    await now.again();
    callers.add(now.url);
    await callers.remove(old.url);
    await old.stop();
    await callers.answered(50);
    await callers.end();

    expect(callers.broken).toEqual([]);
    const { answers, people } = callers;
    // Neither errors of a server nor what one release wrote and the other does not find or accept.
    const log = releases.flatMap(({ server }) => server.output().stderr.split("\n"));
    const why = ({ id }: { id: string | null }) => log.filter((line) => id !== null && line.includes(id)).join(" ");
    const refused = answers.filter(
      (answer) =>
        answer.status >= 400 &&
        !isMalformed(answer.request, answer.status) &&
        !(answer.url === old.url && isTooBusy(answer.status, why(answer))),
    );
    expect(
      refused.map(
        (answer) =>
          `${answer.url === old.url ? "0.1.0" : "this release"} ${answer.request}: ${answer.status} ${answer.text} ${why(answer)}`,
      ),
    ).toEqual([]);
    const by = (release: Release) => answers.filter(({ url }) => url === release.url).length;
    console.info(`0.1.0 answered ${by(old)} requests, this release ${by(now)}.`);

    await until(
      "the outbox is empty",
      async () => (await app.query("SELECT FROM audit_outbox LIMIT 1")).rowCount === 0,
    );
    const { rows } = await audit.query<{ id: string }>(
      "SELECT id FROM audit_events WHERE organization_id <> ALL($1::uuid[]) AND method IS NOT NULL ORDER BY id",
      [filled],
    );
    expect(rows.map(({ id }) => id)).toEqual(answers.map(({ id }) => id).sort());
    const { rows: kept } = await audit.query<{ events: number }>(
      "SELECT count(*)::integer AS events FROM audit_events WHERE organization_id = ANY($1::uuid[])",
      [filled],
    );
    // And one event per log that says how many events it began with.
    expect((kept[0]?.events ?? 0) - EVENTS).toBeLessThanOrEqual(filled.length);
    expect(kept[0]?.events).toBeGreaterThanOrEqual(EVENTS);

    // What 0.1.0 stores beside this release is sealed by the next day's self-check, which calls it no change.
    const own = answers.filter(({ url }) => url === now.url).map(({ id }) => id);
    const sealed = "SELECT FROM audit_seals CROSS JOIN unnest(ids) AS sealed (id) WHERE sealed.id = ANY($1::uuid[])";
    await until(
      "what this release stored is sealed",
      async () => (await audit.query(sealed, [own])).rowCount === own.length,
      300_000,
    );
    for (const { organizationId } of people) {
      const { code, stderr } = await now.server.command(["audit", "verify", "--org", organizationId]);
      expect([code, stderr]).toEqual([0, ""]);
    }
  });

  test("can restore what was backed up before it", async () => {
    const { migrations } = readManifest(backup).databases.audit;
    expect(migrations.length).toBeLessThan(readMigrations("prisma/audit/migrations").length);
    const other = await Cluster.create({ migrated: false });
    try {
      const settings = { DATABASE_URL: other.url("app"), AUDIT_DATABASE_URL: other.url("audit") };
      const given = { ...env, ...settings, DATA_DIR: join(folder, "restored") };
      expect(await runStart(["--cli", "restore", backup], given)).toMatchObject({ code: 0 });
      expect((await runStart(["--cli", "org", "list"], given)).stdout).toContain("before");
    } finally {
      await other.destroy();
    }
  });
});

const isMalformed = (request: string, status: number) => request === "POST /api-keys" && status === 400;

/** 0.1.0 has short time limits for connections and statements, and answers 500 or 503 where a busy machine takes longer. */
const isTooBusy = (status: number, why: string) => status >= 500 && /"message":"[^"]*timeout/.test(why);

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}
