import type pg from "pg";
import { config } from "@/lib/config";
import { connectClient } from "@/lib/db/connections";
import { sharesSessions } from "@/server/database/pooler";
import { type Finding, failed, ok, reasonOf, runCheck, skipped, warning } from "@/server/doctor/check";
import { checkFiling } from "@/server/doctor/check-filing";
import { checkAuditWebRole, checkOwner, checkPublicAccess, checkSameDatabase } from "@/server/doctor/check-privileges";
import {
  checkExtensions,
  checkIndexes,
  checkMigrations,
  checkTodaysPartition,
  hasMigrations,
} from "@/server/doctor/check-schema";
import { findDatabaseUrls } from "@/server/doctor/database-urls";

const MIN_VERSION = 15;
/** Identifiers and times come from the machines, so their clocks must agree with the databases'; in milliseconds. */
const MAX_SKEW_MS = 5_000;
const NOTICED_SKEW_MS = 1_000;
const FOLDERS = { app: "prisma/app/migrations", audit: "prisma/audit/migrations" };
const NAMES = {
  DATABASE_URL: "monitoring database",
  AUDIT_DATABASE_URL: "audit database",
  AUDIT_MAINTENANCE_DATABASE_URL: "audit database (owner)",
} as const;
type DatabaseSetting = keyof typeof NAMES;
/** `schema`: it can only be answered after the migrations. */
type Question = [check: string, ask: (client: pg.Client) => Promise<Finding[]>, needs?: "schema"];

/** Both databases, with each role that is configured: the databases one after the other if one is unavailable. */
export async function checkDatabases(): Promise<Finding[]> {
  const missing = findDatabaseUrls();
  if (missing !== null) return [skipped("databases", `${missing}: start it, then run doctor again`)];
  const settings = config();
  const found = await Promise.all(
    (Object.keys(NAMES) as DatabaseSetting[]).map((setting) => {
      const url = settings[setting];
      return url === undefined ? [] : checkDatabase(setting, url);
    }),
  );
  return found.flat();
}

async function checkDatabase(setting: DatabaseSetting, url: string): Promise<Finding[]> {
  const name = NAMES[setting];
  let isReachable = false;
  const first = await runCheck(
    name,
    async () => {
      const found = await withClient(url, (client) => checkConnection(name, url, client));
      isReachable = true;
      return found;
    },
    (error) => connectionTodo(setting, error),
  );
  if (!isReachable) return first;
  const folder = setting === "DATABASE_URL" ? FOLDERS.app : FOLDERS.audit;
  const isMigrated = await withClient(url, (client) => hasMigrations(folder, client)).catch(() => true);
  const rest: Finding[] = [];
  // One after the other, because a database may have few connections left.
  for (const [check, ask, needs] of questionsOf(setting)) {
    if (needs === "schema" && !isMigrated) rest.push(skipped(check, "after the migrations"));
    else rest.push(...(await runCheck(check, () => withClient(url, ask), "See the message of PostgreSQL.")));
  }
  return [...first, ...rest];
}

/** What to do about an error of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html) or of the network. */
function connectionTodo(setting: DatabaseSetting, error: unknown): string {
  switch ((error as { code?: unknown } | null)?.code) {
    case "28P01":
      return `Correct the user or the password in ${setting}.`;
    case "28000":
      return `Correct the user in ${setting}, or let PostgreSQL accept it from this machine (pg_hba.conf).`;
    case "3D000":
      return `Create the database (docs/operations/production.md, Databases), or correct its name in ${setting}.`;
    case "42501":
      return `Grant the role CONNECT on the database: docs/operations/production.md, Databases.`;
    case "53300":
      return "Raise max_connections of PostgreSQL, or lower DATABASE_POOL_SIZE.";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `Correct the host in ${setting}, or the DNS of this machine.`;
    default:
      return `Check ${setting}, and that PostgreSQL runs and accepts connections from this machine.`;
  }
}

function questionsOf(setting: DatabaseSetting): Question[] {
  const { AUDIT_DATABASE_URL, AUDIT_MAINTENANCE_DATABASE_URL: owner } = config();
  const name = NAMES[setting];
  const clock: Question = [`clock, ${name}`, (client) => checkClock(`clock, ${name}`, client)];
  const publicAccess: Question = [`privileges, ${name}`, (client) => checkPublicAccess(name, client)];
  const migrations = (folder: string): Question => [
    `migrations, ${name}`,
    (client) => checkMigrations(`migrations, ${name}`, folder, client),
  ];
  const job = setting === "DATABASE_URL" ? "database.finish-migrations" : "audit-logs.build-indexes";
  const indexes: Question = [`indexes, ${name}`, (client) => checkIndexes(`indexes, ${name}`, job, client), "schema"];
  const owns: Question = [`privileges, ${name}`, (client) => checkOwner(name, setting, client)];
  if (setting === "DATABASE_URL") return [clock, owns, publicAccess, migrations(FOLDERS.app), indexes];
  const ofAudit: Question[] = [
    migrations(FOLDERS.audit),
    [`extensions, ${name}`, (client) => checkExtensions(`extensions, ${name}`, client), "schema"],
    indexes,
    [`partitions, ${name}`, (client) => checkTodaysPartition(`partitions, ${name}`, client), "schema"],
  ];
  const filing: Question = [`filing, ${name}`, (client) => checkFiling(`filing, ${name}`, client), "schema"];
  if (setting === "AUDIT_MAINTENANCE_DATABASE_URL") {
    const same: Question = [
      `roles, ${name}`,
      (client) => withClient(AUDIT_DATABASE_URL ?? "", (web) => checkSameDatabase(`roles, ${name}`, client, web)),
    ];
    return [owns, same, filing];
  }
  const role: Question = [
    `privileges, ${name}`,
    (client) => checkAuditWebRole(`privileges, ${name}`, client, owner !== undefined),
    "schema",
  ];
  return [clock, role, publicAccess, ...ofAudit, ...(owner === undefined ? [filing] : [])];
}

/** A short-lived connection that is closed in any case. */
async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectClient(url, "migration");
  try {
    await client.query("SET statement_timeout = '5s'; SET lock_timeout = '2s'; SET default_transaction_read_only = on");
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

async function checkConnection(name: string, url: string, client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ number: string; version: string; role: string }>(
    "SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version, current_user AS role",
  );
  const { number, version, role } = rows[0] ?? { number: "0", version: "?", role: "?" };
  const { hostname, port, pathname } = new URL(url);
  const where = `${decodeURIComponent(pathname.slice(1))} at ${hostname}:${port || 5432} as ${role}`;
  const major = Math.floor(Number(number) / 10_000);
  if (major < MIN_VERSION)
    return [failed(name, `${where} is PostgreSQL ${version}`, `Use PostgreSQL ${MIN_VERSION} or newer.`)];
  return [ok(name, `PostgreSQL ${version}, ${where}`), await checkPooler(`pooler, ${name}`, url, client)];
}

async function checkPooler(check: string, url: string, client: pg.Client): Promise<Finding> {
  try {
    if (!(await sharesSessions(url, client))) return ok(check, "none, or one in session mode");
    return failed(
      check,
      "a pooler lends sessions by transaction or statement",
      "Set the pooler to session mode (PgBouncer: pool_mode = session), or connect to PostgreSQL directly.",
    );
  } catch (error) {
    return warning(check, `could not be determined: ${reasonOf(error)}`, "Allow a few more connections for this role.");
  }
}

async function checkClock(check: string, client: pg.Client): Promise<Finding[]> {
  const before = Date.now();
  const { rows } = await client.query<{ at: number }>("SELECT extract(epoch FROM clock_timestamp())::float8 AS at");
  const after = Date.now();
  // The database read its clock at an unknown moment in between.
  const at = (rows[0]?.at ?? 0) * 1000;
  const skewMs = at < before ? before - at : at > after ? at - after : 0;
  const words = `${(skewMs / 1000).toFixed(1)} s ${at < before ? "behind" : "ahead of"} this machine's`;
  const todo = "Synchronize the clocks of all machines (NTP): ids, sessions, rate limits and retention use them.";
  if (skewMs > MAX_SKEW_MS) return [failed(check, `the database's clock is ${words}`, todo)];
  if (skewMs > NOTICED_SKEW_MS) return [warning(check, `the database's clock is ${words}`, todo)];
  return [ok(check, "agrees with this machine's")];
}
