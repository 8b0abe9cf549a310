import type pg from "pg";
import { auditPrivileges, webPrivileges } from "@/server/database/audit-privileges";
import { type Finding, failed, ok, warning } from "@/server/doctor/check";

const SEE = "docs/operations/production.md, Databases";

const OWNS = `
SELECT rolsuper AS superuser, has_schema_privilege('public', 'CREATE') AS creates, ARRAY(
  SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
  WHERE nspname IN ('public', 'partitions') AND relkind IN ('r', 'p') AND NOT pg_has_role(relowner, 'USAGE')
  ORDER BY 1 LIMIT 5) AS foreign
FROM pg_roles WHERE rolname = current_user`;

/** Whether the role may migrate: it must own the tables, and should not be a superuser. */
export async function checkOwner(name: string, setting: string, client: pg.Client): Promise<Finding[]> {
  const check = `privileges, ${name}`;
  const { rows } = await client.query<{ superuser: boolean; creates: boolean; foreign: string[] }>(OWNS);
  const { superuser, creates, foreign } = rows[0] ?? { superuser: false, creates: false, foreign: [] };
  if (superuser)
    return [
      warning(
        check,
        `the role of ${setting} is a superuser`,
        `Give Sealwatch a role that only owns its database: ${SEE}.`,
      ),
    ];
  const lacks = [
    ...(creates ? [] : ["may not create tables"]),
    ...(foreign.length > 0 ? [`does not own ${foreign.join(", ")}`] : []),
  ];
  if (lacks.length === 0) return [ok(check, "the role owns its tables and is not a superuser")];
  return [
    failed(
      check,
      `the role of ${setting} ${lacks.join(" and ")}`,
      `Make it the owner of the database and its tables: ${SEE}.`,
    ),
  ];
}

/** Whether any role of the cluster may connect. */
export async function checkPublicAccess(name: string, client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ open: boolean; name: string }>(
    "SELECT has_database_privilege('public', current_database(), 'CONNECT') AS open, quote_ident(current_database()) AS name",
  );
  const [row] = rows;
  if (!row?.open) return [];
  return [
    warning(
      `privileges, ${name}`,
      "every role of this PostgreSQL may connect",
      `Run: REVOKE ALL ON DATABASE ${row.name} FROM PUBLIC; GRANT CONNECT to the roles of Sealwatch.`,
    ),
  ];
}

const LACKS = `
SELECT name || ' ' || privilege AS lack FROM jsonb_each($1::jsonb) AS wanted(name, list),
  jsonb_array_elements_text(list) AS privilege
WHERE to_regclass('public.' || name) IS NOT NULL
  AND NOT has_table_privilege(to_regclass('public.' || name), privilege)
ORDER BY 1`;

/** Whether the role of web processes may read and append, and nothing else. `hasOwner`: another role is set up as the owner. */
export async function checkAuditWebRole(check: string, client: pg.Client, hasOwner: boolean): Promise<Finding[]> {
  const found: Finding[] = [];
  const { rows } = await client.query<{ lack: string }>(LACKS, [JSON.stringify(webPrivileges)]);
  if (rows.length > 0) {
    const list = rows.slice(0, 5).map(({ lack }) => lack);
    const more = rows.length > list.length ? ` and ${rows.length - list.length} more` : "";
    found.push(
      failed(
        check,
        `the role of AUDIT_DATABASE_URL lacks ${list.join(", ")}${more}`,
        "Set AUDIT_MAINTENANCE_DATABASE_URL and run `npm start -- --migrate-only`: the owner grants them.",
      ),
    );
  }
  const { role, excess } = await auditPrivileges(client);
  if (excess.length > 0) {
    const message = `the role ${role} may ${excess.join(", ")}: web processes could change recorded events`;
    const todo = hasOwner
      ? `Revoke these privileges and memberships: docs/operations/production.md, Roles of the audit database.`
      : "Use two roles, and set AUDIT_MAINTENANCE_DATABASE_URL: docs/operations/upgrade.md.";
    found.push((hasOwner ? failed : warning)(check, message, todo));
  }
  return found.length > 0 ? found : [ok(check, "the role may read and append, and nothing else")];
}

/** Whether the owner and the web processes use the same database. */
export async function checkSameDatabase(check: string, owner: pg.Client, web: pg.Client): Promise<Finding[]> {
  const question =
    "SELECT pg_postmaster_start_time()::text || ' ' || oid AS id FROM pg_database WHERE datname = current_database()";
  const [one, other] = await Promise.all([owner, web].map((client) => client.query<{ id: string }>(question)));
  if (one?.rows[0]?.id === other?.rows[0]?.id) return [ok(check, "both roles use the same database")];
  return [
    failed(
      check,
      "AUDIT_DATABASE_URL and AUDIT_MAINTENANCE_DATABASE_URL lead to different databases",
      "Let both name the same host and database.",
    ),
  ];
}
