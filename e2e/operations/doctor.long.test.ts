import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { createServer, type Server as HttpServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Cluster } from "@/e2e/support/servers/cluster";
import { lastingPort } from "@/e2e/support/servers/lasting-port";
import { hasRedis, type RedisServer, startRedis } from "@/e2e/support/servers/redis";
import { prepareSealwatch, runStart } from "@/e2e/support/servers/sealwatch";
import { type Mailbox, startMailbox } from "@/e2e/support/stand-ins/mailbox";
import { HELD_CLASS } from "@/lib/audit-logs/partitions/held-class";
import { configure } from "@/lib/config";
import { seal } from "@/lib/encryption";
import { newId } from "@/lib/ids";
import { sealContextOf } from "@/lib/notification-channels/channel";
import { markRestore, unmarkRestore } from "@/server/database/migrate";
import type { Finding } from "@/server/doctor/check";
import { checkIssuer } from "@/server/doctor/check-issuer";

const KEY = Buffer.alloc(32, 7).toString("base64");
const closing: (() => unknown)[] = [];
let cluster: Cluster;
let redis: RedisServer | undefined;
let mailbox: Mailbox;
let good: Record<string, string>;
/** Replaces the discovery document of the stand-in issuer. */
let document: Record<string, unknown> | undefined;

async function listen(server: Server | HttpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function startIssuer(): Promise<string> {
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    const discovery = document ?? {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      jwks_uri: `${origin}/keys`,
      response_types_supported: ["code"],
    };
    const body = request.url === "/keys" ? { keys: [{ kty: "RSA" }] } : discovery;
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

/** Accepts connections and says nothing, or one line. */
async function startSilentServer(line?: string): Promise<number> {
  return listen(
    createTcpServer((socket) => {
      socket.on("error", () => {});
      if (line !== undefined) socket.end(line);
      else closing.push(() => socket.destroy());
    }),
  );
}

async function sql(database: "app" | "audit", ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.superuserUrl(database) });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Nobody can read events on hold meanwhile: it exceeds the time limits. */
async function whileHeldDaysAreLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: cluster.superuserUrl("audit") });
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query(`LOCK TABLE partitions.audit_events_${HELD_CLASS} IN ACCESS EXCLUSIVE MODE`);
    return await work();
  } finally {
    await client.end();
  }
}

interface Examination {
  code: number;
  ok: boolean;
  checks: Finding[];
  /** The findings that are neither ok nor skipped. */
  wrong: string[];
  output: string;
}

async function examine(env: Record<string, string> = {}, attempt = 1): Promise<Examination> {
  const { code, stdout, stderr } = await runStart(["--cli", "doctor", "--json"], { ...good, ...env });
  const { ok, checks } = JSON.parse(stdout || "{}") as { ok: boolean; checks: Finding[] };
  const wrong = checks
    .filter(({ status }) => status === "failed" || status === "warning")
    .map(({ status, check, message }) => `${status} ${check}: ${message}`);
  // A busy machine may take longer to connect than the limit; only the test of hanging dependencies expects that.
  const isSlow = wrong.some((each) => each.endsWith(": timeout expired")) && env.SMTP_URL === undefined;
  if (isSlow && attempt < 3) return examine(env, attempt + 1);
  for (const { status, todo } of checks) expect(todo === null).toBe(status === "ok" || status === "skipped");
  return { code, ok, checks, wrong, output: stdout + stderr };
}

beforeAll(async () => {
  [cluster, mailbox, redis] = await Promise.all([
    Cluster.create(),
    startMailbox(),
    hasRedis ? startRedis() : undefined,
  ]);
  const { env } = await prepareSealwatch();
  good = {
    ...env,
    DATABASE_URL: cluster.url("app"),
    AUDIT_DATABASE_URL: cluster.auditWebUrl,
    AUDIT_MAINTENANCE_DATABASE_URL: cluster.url("audit"),
    ENCRYPTION_KEY: KEY,
    OIDC_ISSUER: await startIssuer(),
    OIDC_CLIENT_ID: "sealwatch",
    OIDC_CLIENT_SECRET: "hunter2",
    SMTP_URL: mailbox.url,
    SMTP_FROM: "sealwatch@example.com",
    ...(redis && { REDIS_URL: redis.url }),
  };
  // The databases were prepared some time ago, and the partitions of the test's own day may be missing.
  const { code, stderr } = await runStart(["--migrate-only"], good);
  expect(code, stderr).toBe(0);
});
afterAll(async () => {
  for (const close of closing) close();
  mailbox.close();
  await redis?.destroy();
  await cluster.destroy();
});

describe("doctor", () => {
  test("finds nothing wrong with a good installation, and changes nothing", async () => {
    const { code, ok, wrong, checks } = await examine();
    expect({ code, ok, wrong }).toEqual({ code: 0, ok: true, wrong: [] });
    const names = checks.map(({ check }) => check);
    for (const name of ["settings", "monitoring database", "migrations, audit database", "clock, monitoring database"])
      expect(names).toContain(name);
    expect(checks.filter(({ status }) => status === "ok").length).toBeGreaterThan(15);
    expect(mailbox.received).toEqual([]);
    const shown = await runStart(["--cli", "doctor"], good);
    expect(shown.stdout).toMatch(/^ok +settings .*[\s\S]*\n0 failed, 0 warnings, \d+ ok\n$/);
  });

  test("never starts, creates or migrates anything", async () => {
    const { env, folder } = await prepareSealwatch();
    const { code, stdout } = await runStart(["--cli", "doctor"], env);
    expect([code, stdout]).toEqual([0, expect.stringContaining("was never started with DATA_DIR")]);
    const before = await runStart(["--cli", "doctor", "--json"], { ...env, DATA_DIR: join(folder, "other") });
    expect(before.code).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("reports all invalid settings and contradictions at once, and still checks the rest", async () => {
    const { code, wrong, checks } = await examine({
      PORT: "abc",
      LOG_LEVEL: "loud",
      SMTP_FROM: "",
      WEB_CONCURRENCY: "0",
    });
    expect(code).toBe(1);
    expect(wrong).toEqual([
      expect.stringContaining("PORT must be a whole number"),
      expect.stringContaining("WEB_CONCURRENCY must be"),
      expect.stringContaining("LOG_LEVEL must be one of"),
      expect.stringContaining("SMTP_FROM must be set too"),
    ]);
    expect(checks.find(({ check }) => check === "monitoring database")).toMatchObject({ status: "ok" });
  });

  test("names the database that is unavailable, and checks the other", async () => {
    const url = `postgresql://u:hunter2@127.0.0.1:${await lastingPort()}/x`;
    const { code, wrong, checks, output } = await examine({ DATABASE_URL: url });
    expect(code).toBe(1);
    expect(wrong).toEqual([
      expect.stringMatching(/^failed monitoring database: connect ECONNREFUSED/),
      expect.stringMatching(/^failed encryption key: connect ECONNREFUSED/),
    ]);
    expect(checks.find(({ check }) => check === "migrations, audit database")).toMatchObject({ status: "ok" });
    expect(output).not.toContain("hunter2");
  });

  test("finds a wrong password without showing it", async () => {
    const url = Object.assign(new URL(cluster.url("audit")), { password: "hunter2" }).href;
    const { wrong, checks, output } = await examine({ AUDIT_MAINTENANCE_DATABASE_URL: url });
    expect(wrong).toEqual([expect.stringContaining("failed audit database (owner): password authentication failed")]);
    expect(checks.find(({ status }) => status === "failed")?.todo).toBe(
      "Correct the user or the password in AUDIT_MAINTENANCE_DATABASE_URL.",
    );
    expect(output).not.toContain("hunter2");
  });

  test("finds privileges that web processes lack, and those that they must not have", async () => {
    await sql(
      "audit",
      "REVOKE SELECT ON audit_seals FROM sealwatch_audit_web",
      "GRANT DELETE ON audit_events TO sealwatch_audit_web",
      "GRANT CONNECT ON DATABASE sealwatch_audit TO PUBLIC",
    );
    const { code, wrong } = await examine();
    await sql(
      "audit",
      "REVOKE DELETE ON audit_events FROM sealwatch_audit_web",
      "REVOKE ALL ON DATABASE sealwatch_audit FROM PUBLIC",
    );
    expect(code).toBe(1);
    expect(wrong).toEqual([
      "failed privileges, audit database: the role of AUDIT_DATABASE_URL lacks audit_seals SELECT",
      expect.stringContaining("the role sealwatch_audit_web may DELETE: web processes could change recorded events"),
      "warning privileges, audit database: every role of this PostgreSQL may connect",
    ]);
    // What its advice says.
    expect((await runStart(["--migrate-only"], good)).code).toBe(0);
    expect((await examine()).wrong).toEqual([]);
  });

  test("warns of one role for everything, and of a superuser", async () => {
    const { code, wrong } = await examine({
      DATABASE_URL: cluster.superuserUrl("app"),
      AUDIT_DATABASE_URL: cluster.url("audit"),
      AUDIT_MAINTENANCE_DATABASE_URL: "",
    });
    expect([code, wrong]).toEqual([
      0,
      [
        "warning privileges, monitoring database: the role of DATABASE_URL is a superuser",
        expect.stringContaining(
          "warning privileges, audit database: the role sealwatch_audit_owner may CREATE, DELETE",
        ),
      ],
    ]);
  });

  test("finds a role that owns nothing, and roles that use different databases", async () => {
    const web = cluster.auditWebUrl;
    const asOwner = await examine({ AUDIT_MAINTENANCE_DATABASE_URL: web });
    expect(asOwner.wrong).toEqual([
      expect.stringMatching(/^failed privileges, audit database \(owner\): .* may not create tables and does not own /),
    ]);
    await sql("app", "CREATE DATABASE other OWNER sealwatch_audit_owner", "REVOKE ALL ON DATABASE other FROM PUBLIC");
    const other = Object.assign(new URL(cluster.url("audit")), { pathname: "/other" }).href;
    const apart = await examine({ AUDIT_MAINTENANCE_DATABASE_URL: other });
    await sql("app", "DROP DATABASE other");
    expect(apart.wrong).toContainEqual(expect.stringContaining("lead to different databases"));
  });

  test("finds missing migrations, extensions and indexes that are not complete", async () => {
    const name = "(SELECT max(migration_name) FROM _prisma_migrations)";
    await sql(
      "app",
      "CREATE TABLE kept AS TABLE _prisma_migrations",
      `DELETE FROM _prisma_migrations WHERE migration_name = ${name}`,
    );
    await sql("audit", "UPDATE pg_extension SET extname = 'pg_away' WHERE extname = 'pg_trgm'");
    await sql("app", "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'organizations_slug_key'::regclass");
    const { code, wrong } = await examine();
    await sql("app", "TRUNCATE _prisma_migrations", "INSERT INTO _prisma_migrations TABLE kept", "DROP TABLE kept");
    await sql("app", "UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'organizations_slug_key'::regclass");
    await sql("audit", "UPDATE pg_extension SET extname = 'pg_trgm' WHERE extname = 'pg_away'");
    expect(code).toBe(1);
    expect(wrong).toEqual([
      expect.stringMatching(/^failed privileges, monitoring database: .* does not own kept/),
      expect.stringMatching(/^failed migrations, monitoring database: 1 of \d+ are missing, the first is \d+_/),
      "warning indexes, monitoring database: not complete: organizations_slug_key",
      "failed extensions, audit database: pg_trgm missing",
    ]);
  });

  test("finds a database into which a restore was not finished", async () => {
    const client = new pg.Client({ connectionString: cluster.superuserUrl("audit") });
    await client.connect();
    await markRestore(client, randomUUID());
    const { code, wrong } = await examine();
    await unmarkRestore(client);
    await client.end();
    expect(code).toBe(1);
    expect(wrong).toEqual([
      expect.stringMatching(/^failed migrations, audit database: A restore into the database \S+ was not finished\./),
    ]);
  });

  test("finds a database without migrations", async () => {
    await sql("app", "CREATE DATABASE bare OWNER sealwatch_app", "REVOKE ALL ON DATABASE bare FROM PUBLIC");
    const bare = Object.assign(new URL(cluster.url("app")), { pathname: "/bare" }).href;
    const { wrong, checks } = await examine({ DATABASE_URL: bare });
    await sql("app", "DROP DATABASE bare");
    expect(wrong).toEqual([
      expect.stringMatching(/^failed migrations, monitoring database: none of the \d+ migrations was applied$/),
    ]);
    for (const name of ["indexes, monitoring database", "encryption key"])
      expect(checks.find(({ check }) => check === name)).toMatchObject({
        ...{ status: "skipped", message: "after the migrations" },
      });
  });

  test("finds databases that were exchanged, and says nothing of what follows from that", async () => {
    const { wrong, checks } = await examine({
      ...{ DATABASE_URL: cluster.url("audit"), AUDIT_DATABASE_URL: cluster.url("app") },
      AUDIT_MAINTENANCE_DATABASE_URL: "",
    });
    expect(wrong).toEqual([
      expect.stringMatching(/^failed migrations, monitoring database: none of the \d+ .* of another kind of database$/),
      expect.stringMatching(/^failed migrations, audit database: none of the \d+ .* of another kind of database$/),
    ]);
    expect(checks.find(({ check }) => check.startsWith("migrations"))?.todo).toMatch(/^Correct the URL: DATABASE_URL/);
  });

  test("finds clocks that differ", async () => {
    const shifted = { NODE_OPTIONS: `--import ${join(process.cwd(), "e2e/support/servers/shift-clock.mjs")}` };
    const { code, wrong } = await examine({ ...shifted, CLOCK_SHIFT_MS: "90000" });
    expect(code).toBe(1);
    expect(wrong).toEqual([
      expect.stringMatching(
        /^failed clock, monitoring database: the database's clock is (89|90)\.\d s behind this machine's/,
      ),
      expect.stringMatching(/^failed clock, audit database: /),
    ]);
  });

  test("finds a store that is unavailable or refuses its credential", async () => {
    const away = await examine({ REDIS_URL: `redis://:hunter2@127.0.0.1:${await lastingPort()}` });
    expect(away.wrong).toEqual([expect.stringContaining("failed rate-limit store: connect ECONNREFUSED")]);
    expect(away.output).not.toContain("hunter2");
    const upstash = { REDIS_URL: "", UPSTASH_REDIS_REST_TOKEN: "hunter2" };
    const refused = await examine({ ...upstash, UPSTASH_REDIS_REST_URL: good.OIDC_ISSUER ?? "" });
    expect(refused.wrong).toHaveLength(1);
    expect(refused.output).not.toContain("hunter2");
  });

  test.each([
    ["another issuer", { issuer: "https://evil.example" }, /names the issuer https:\/\/evil\.example, not http/],
    ["no endpoints", { issuer: "x" }, /authorization_endpoint, token_endpoint, jwks_uri missing or invalid/],
    ["an unsafe endpoint", { issuer: "x", authorization_endpoint: "javascript:1" }, /authorization_endpoint/],
  ])("finds a discovery document with %s", async (_what, wrongDocument, sentence) => {
    const origin = good.OIDC_ISSUER;
    const rest = { authorization_endpoint: `${origin}/a`, token_endpoint: `${origin}/t`, jwks_uri: `${origin}/keys` };
    document = wrongDocument.issuer === "x" ? wrongDocument : { ...rest, ...wrongDocument };
    const { OIDC_ISSUER = "", OIDC_CLIENT_ID = "", OIDC_CLIENT_SECRET = "" } = good;
    configure({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET });
    const found = await checkIssuer();
    document = undefined;
    expect(found).toMatchObject([{ status: "failed", message: expect.stringMatching(sentence) }]);
  });

  test("accepts an issuer whose discovery document names it with a final slash", async () => {
    const { OIDC_ISSUER = "", OIDC_CLIENT_ID = "", OIDC_CLIENT_SECRET = "" } = good;
    const rest = { authorization_endpoint: `${OIDC_ISSUER}/a`, token_endpoint: `${OIDC_ISSUER}/t` };
    document = { ...rest, issuer: `${OIDC_ISSUER}/`, jwks_uri: `${OIDC_ISSUER}/keys` };
    configure({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET });
    const found = await checkIssuer();
    document = undefined;
    expect(found).toMatchObject([{ status: "ok" }]);
  });

  test("finds a mail server that refuses the connection or the login", async () => {
    const refusing = await startSilentServer("554 go away\r\n");
    const one = await examine({ SMTP_URL: `smtp://127.0.0.1:${refusing}` });
    expect(one.wrong).toEqual([expect.stringMatching(/^failed e-mail: .*554/)]);
    const strict = new SMTPServer({
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error("no such user")),
    });
    strict.on("error", () => {});
    const port = await listen(strict.server as Server);
    const two = await examine({ SMTP_URL: `smtp://user:hunter2@127.0.0.1:${port}` });
    expect(two.wrong).toEqual([expect.stringMatching(/^failed e-mail: Invalid login/)]);
    expect(two.output).not.toContain("hunter2");
  });

  test("bounds each check of a dependency that hangs", async () => {
    const silent = await startSilentServer();
    const { code, wrong, checks } = await examine({
      DATABASE_URL: `postgresql://u:p@127.0.0.1:${silent}/x`,
      REDIS_URL: `redis://127.0.0.1:${silent}`,
      SMTP_URL: `smtp://127.0.0.1:${silent}`,
      OIDC_ISSUER: `http://127.0.0.1:${silent}`,
    });
    expect(code).toBe(1);
    expect(wrong.map((each) => each.split(":")[0])).toEqual([
      "failed monitoring database",
      "failed encryption key",
      "failed rate-limit store",
      "failed e-mail",
      "failed identity provider",
    ]);
    expect(checks.find(({ check }) => check === "audit database")).toMatchObject({ status: "ok" });
  });

  test("finds a key that does not open the secrets in the database", async () => {
    configure({ ENCRYPTION_KEY: KEY });
    const place = { organizationId: randomUUID(), id: randomUUID() };
    const client = new pg.Client({ connectionString: cluster.superuserUrl("app") });
    await client.connect();
    await client.query(
      "INSERT INTO organizations (id, name, slug, created_at) VALUES ($1, 'Keys', 'keys-of-doctor', now())",
      [place.organizationId],
    );
    await client.query(
      `INSERT INTO notification_channels (organization_id, id, name, type, settings, secrets, secret_fields, created_at, updated_at)
       VALUES ($1, $2, 'Mail', 'webhook', '{}', $3, '{}', now(), now())`,
      [place.organizationId, place.id, seal("{}", sealContextOf(place))],
    );
    const right = await examine();
    const other = await examine({ ENCRYPTION_KEY: Buffer.alloc(32, 8).toString("base64") });
    await client.query("DELETE FROM organizations WHERE id = $1", [place.organizationId]);
    await client.end();
    expect(right.wrong).toEqual([]);
    expect(right.checks).toContainEqual(expect.objectContaining({ message: "ENCRYPTION_KEY opens the secrets" }));
    expect(other.wrong).toEqual([
      "failed encryption key: ENCRYPTION_KEY does not open the secrets of 1 of 1 notification channels",
    ]);
  });

  test("names organizations whose events are filed where only a later plan or hold shows them", async () => {
    const [grown, holding] = [newId(), newId()];
    const made = `INSERT INTO organizations (id, name, slug, created_at) VALUES ('${grown}', 'Grown', 'grown', now()),
      ('${holding}', 'Holding', 'holding', now())`;
    const stored = (organization: string, days: number) =>
      `INSERT INTO audit_events (organization_id, retention_days, id, occurred_at, auth_type, flags, is_security_event, tokens)
       VALUES ('${organization}', ${days}, '${newId()}', now(), 'system', '{}', false, '{}')`;
    const filed = (organization: string, epoch: number, days: number) =>
      `INSERT INTO audit_seals (organization_id, epoch, first_index, retention_days, filed_at, sealed_at, min_at, max_at, ids, nonces, commitments)
       VALUES ('${organization}', ${epoch}, 0, ${days}, now() + ${epoch} * interval '1 day', now(), now(), now(), '{}', '', '')`;
    const today = (days: number) => `SELECT audit_make_day(${days}::smallint, (now() AT TIME ZONE 'UTC')::date)`;
    await sql("app", made);
    await sql(
      "audit",
      "SET ROLE sealwatch_audit_owner",
      ...[today(365), today(32_767), stored(grown, 365), stored(holding, 32_767)],
      // Some were filed again by the plan of the backup. Nothing is stored in the class of 180 days.
      ...[filed(grown, 1, 365), filed(grown, 2, 30), filed(holding, 1, 180)],
    );
    const hidden = await examine();
    const separate = await examine({ AUDIT_MAINTENANCE_DATABASE_URL: "" });
    await sql(
      "app",
      "UPDATE organizations SET audit_classes = '{30,365}' WHERE slug = 'grown'",
      "UPDATE organizations SET audit_has_held = true WHERE slug = 'holding'",
    );
    const shown = await examine();
    const late = await whileHeldDaysAreLocked(examine);
    await sql("app", "DELETE FROM organizations WHERE slug IN ('grown', 'holding')");
    await sql("audit", "DELETE FROM audit_events", "DELETE FROM audit_seals");
    const words = "some events are hidden: of grown those kept for 365 days, of holding those on hold";
    expect([hidden.code, hidden.wrong]).toEqual([1, [`failed filing, audit database (owner): ${words}`]]);
    expect(separate.wrong).toContain(`failed filing, audit database: ${words}`);
    expect(shown.wrong).toEqual([]);
    expect([late.code, late.wrong]).toEqual([
      0,
      ["warning filing, audit database (owner): it takes too long to read which events are on hold"],
    ]);
  });

  test("finds a port of another program and a proxy whose addresses are not trusted", async () => {
    const port = String(await startSilentServer("no\n"));
    const one = await examine({ PORT: port });
    expect(one.wrong).toEqual([expect.stringContaining(`127.0.0.1:${port} is used by another program`)]);
    const proxied = { PUBLIC_URL: `http://localhost:${await startSilentServer("no\n")}` };
    const two = await examine(proxied);
    expect(two.wrong).toEqual([
      expect.stringContaining("TRUSTED_PROXIES is not set"),
      expect.stringContaining("warning reverse proxy: Sealwatch does not answer at"),
    ]);
    const three = await examine({ ...proxied, TRUSTED_PROXIES: "0.0.0.0/0" });
    expect(three.wrong).toContainEqual(expect.stringContaining("trusts every address"));
  });
});
