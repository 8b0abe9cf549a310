import { createHmac } from "node:crypto";
import type pg from "pg";
import { connectClient } from "@/lib/db/connections";
import type { Listener } from "@/server/embedded/postgres-process";

/** Owns the cluster of both databases. Only the start connects as this role, to set up the roles below. */
const SUPERUSER = "sealwatch";

/** The two databases and their owners. Neither owner can access the other's database. */
const databases = {
  app: { name: "sealwatch", owner: "sealwatch_app" },
  audit: { name: "sealwatch_audit", owner: "sealwatch_audit_owner" },
} as const;

/** Can only insert and read audit events; see server/database/audit-privileges.ts. */
const AUDIT_WEB = "sealwatch_audit_web";

/** Every role that connects, except the superuser. */
export const LOGINS = [databases.app.owner, databases.audit.owner, AUDIT_WEB] as const;
type Login = (typeof LOGINS)[number] | typeof SUPERUSER;

/** Objects of earlier releases change their owner in batches, to hold few locks at a time. */
const BATCH_SIZE = 100;

export interface EmbeddedUrls {
  DATABASE_URL: string;
  AUDIT_DATABASE_URL: string;
  AUDIT_MAINTENANCE_DATABASE_URL: string;
}

/** Each role's password is derived from the superuser's, which cannot be inferred from it. */
function passwordOf(login: Login, superuserPassword: string): string {
  if (login === SUPERUSER) return superuserPassword;
  return createHmac("sha256", superuserPassword).update(login).digest("base64url");
}

/** The URL of a database of the embedded PostgreSQL for one of its roles. */
function urlOf(port: number, superuserPassword: string, database: string, login: Login): string {
  return `postgresql://${login}:${passwordOf(login, superuserPassword)}@127.0.0.1:${port}/${database}`;
}

/** The connection settings of Sealwatch's processes: by the socket if there is one. */
export function embeddedUrls({ port, socketFolder }: Listener, superuserPassword: string): EmbeddedUrls {
  const { app, audit } = databases;
  const suffix = socketFolder && `?host=${encodeURIComponent(socketFolder)}`;
  const url = (database: string, login: Login) => urlOf(port, superuserPassword, database, login) + suffix;
  return {
    DATABASE_URL: url(app.name, app.owner),
    AUDIT_DATABASE_URL: url(audit.name, AUDIT_WEB),
    AUDIT_MAINTENANCE_DATABASE_URL: url(audit.name, audit.owner),
  };
}

/** The superuser's URL of one of the databases. It is never passed to another process. */
export function superuserUrl(port: number, superuserPassword: string, database: keyof typeof databases): string {
  return urlOf(port, superuserPassword, databases[database].name, SUPERUSER);
}

/** Creates roles and databases, and makes the roles own the objects that earlier releases left to the superuser. Idempotent. */
export async function prepareRoles(port: number, superuserPassword: string): Promise<void> {
  await asSuperuser(port, superuserPassword, "postgres", async (client) => {
    // A session lock, held until the connection ends: CREATE DATABASE cannot run in a transaction.
    await client.query("SELECT pg_advisory_lock(hashtextextended('sealwatch roles', 0))");
    for (const login of LOGINS) await setUpLogin(client, login, passwordOf(login, superuserPassword));
    for (const { name, owner } of Object.values(databases)) await setUpDatabase(client, name, owner);
    await client.query(`GRANT CONNECT ON DATABASE ${databases.audit.name} TO ${AUDIT_WEB}`);
    await client.query("REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC");
    for (const { name, owner } of Object.values(databases)) {
      await asSuperuser(port, superuserPassword, name, (own) => handOver(own, owner));
    }
  });
}

async function asSuperuser(
  port: number,
  password: string,
  database: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = await connectClient(urlOf(port, password, database, SUPERUSER), "migration");
  try {
    // If an older release still uses the data, other sessions must not wait behind this one for long: the caller tries again.
    // Failed statements are not logged, because they may contain a password.
    await client.query(
      "SET lock_timeout = '5s'; SET client_min_messages = warning; SET log_min_error_statement = panic",
    );
    await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

async function setUpLogin(client: pg.Client, login: Login, password: string): Promise<void> {
  const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [login]);
  const verb = rowCount ? "ALTER" : "CREATE";
  await client.query(
    `${verb} ROLE ${login} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD '${password}'`,
  );
}

async function setUpDatabase(client: pg.Client, name: string, owner: Login): Promise<void> {
  const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [name]);
  await client.query(rowCount ? `ALTER DATABASE ${name} OWNER TO ${owner}` : `CREATE DATABASE ${name} OWNER ${owner}`);
  await client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
}

/** Statements that make `$1` the owner of Sealwatch's objects that the superuser owns. Extensions keep their owner. */
const HAND_OVER = `
WITH mine AS (SELECT oid FROM pg_roles WHERE rolname = current_user),
ours AS (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'partitions'))
SELECT format('ALTER SCHEMA %I OWNER TO %I', nspname, $1::text) AS statement
  FROM pg_namespace WHERE oid IN (TABLE ours) AND nspowner IN (TABLE mine)
UNION ALL SELECT format('ALTER TABLE %s OWNER TO %I', oid::regclass, $1::text)
  FROM pg_class WHERE relnamespace IN (TABLE ours) AND relowner IN (TABLE mine) AND relkind IN ('r', 'p', 'v', 'm', 'S')
    -- A column's sequence follows its table.
    AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid
      AND (deptype = 'e' OR relkind = 'S' AND deptype IN ('a', 'i')))
UNION ALL SELECT format('ALTER ROUTINE %s OWNER TO %I', oid::regprocedure, $1::text)
  FROM pg_proc WHERE pronamespace IN (TABLE ours) AND proowner IN (TABLE mine)
    AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e')
UNION ALL SELECT format('ALTER TYPE %s OWNER TO %I', oid::regtype, $1::text)
  FROM pg_type WHERE typnamespace IN (TABLE ours) AND typowner IN (TABLE mine) AND typtype IN ('e', 'd')
    AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_type'::regclass AND objid = pg_type.oid AND deptype = 'e')`;

async function handOver(client: pg.Client, owner: Login): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(HAND_OVER, [owner]);
  for (let index = 0; index < rows.length; index += BATCH_SIZE) {
    const batch = rows.slice(index, index + BATCH_SIZE);
    await client.query(batch.map(({ statement }) => statement).join("; "));
  }
}
