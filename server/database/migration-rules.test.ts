import { describe, expect, test } from "vitest";
import { readMigrations } from "@/server/database/migrate";

/** Tables that may have millions of rows, so the start must not wait for changes of their rows. */
const LARGE =
  /\b(audit_events|audit_bodies|audit_deltas|audit_rollups|uptime_checks|certificate_endpoints|uptime_monitors)\b/i;

/** Migrations older than the first release, when nobody had large tables; see docs/decisions/0050-migrations-of-large-tables.md. */
const BEFORE_THE_RULE = [
  "20261121120000_endpoint_model",
  "20261121153000_fair_checks",
  "20261122102107_fair_jobs",
  "20261121121000_sightings",
  "20261121123000_key_counts",
  "20261122003000_one_index",
  "20261122004500_none_of_these",
];

/** Statements that change the catalogue and read no row. */
const HARMLESS =
  /^(CREATE (OR REPLACE )?(FUNCTION|PROCEDURE|TRIGGER|VIEW|STATISTICS|TABLE(?!.* AS ))|COMMENT|GRANT|REVOKE|DROP (TRIGGER|VIEW|TABLE))\b/is;
const ACTIONS = [
  // A constant default is stored in the catalogue; a function call may be evaluated for each row.
  /^ADD COLUMN (IF NOT EXISTS )?\S+ [\w[\]]+(\(\d+\))?( NULL| NOT NULL(?= DEFAULT))?( DEFAULT ('[^']*'|[\w.-]+)(::\w+(\[\])?)?)?$/i,
  /^ADD CONSTRAINT .* NOT VALID$/is,
  /^DROP (COLUMN|CONSTRAINT)\b/i,
  /^ALTER COLUMN \S+ (SET DEFAULT|DROP DEFAULT|DROP NOT NULL|SET STATISTICS)\b/i,
  /^SET \(/i,
];

/** The statements of a migration, without comments and without the bodies of functions. */
function statementsOf(sql: string): string[] {
  const bare = sql
    .replace(/--.*$/gm, "")
    .replace(/(CREATE (OR REPLACE )?(FUNCTION|PROCEDURE)[^;]*?)\$(\w*)\$[\s\S]*?\$\4\$/gi, "$1");
  const whole = bare.split(/;(?=(?:[^$]|\$[^$])*(?:\$\$(?:[^$]|\$[^$])*\$\$(?:[^$]|\$[^$])*)*$)/);
  return whole.map((statement) => statement.trim().replace(/\s+/g, " ")).filter(Boolean);
}

/** The actions of an ALTER TABLE. Commas inside parentheses do not separate actions. */
function actionsOf(statement: string): string[] {
  const [, list = ""] = /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?\S+ (.*)$/is.exec(statement) ?? [];
  return list.split(/,(?![^(]*\))/).map((action) => action.trim());
}

/** The statements that would rewrite, index or read all rows of a large table that already exists. */
function offences(sql: string): string[] {
  const statements = statementsOf(sql);
  const created = statements.flatMap((text) => /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/i.exec(text)?.[1] ?? []);
  return statements.filter((statement) => {
    const table = LARGE.exec(statement)?.[1]?.toLowerCase();
    if (table === undefined || created.includes(table) || HARMLESS.test(statement)) return false;
    if (/^CREATE (UNIQUE )?INDEX\b/i.test(statement)) return !/ ON ONLY /i.test(statement);
    if (/^ALTER TABLE\b/i.test(statement))
      return !actionsOf(statement).every((action) => ACTIONS.some((allowed) => allowed.test(action)));
    return true;
  });
}

describe("no migration rewrites, indexes or reads a large table", () => {
  const all = ["app", "audit"].flatMap((name) => readMigrations(`prisma/${name}/migrations`));
  test.each(all.filter(({ name }) => !BEFORE_THE_RULE.includes(name)))("$name", ({ sql }) => {
    expect(offences(sql)).toEqual([]);
  });

  test("except for the migrations that are older than the rule", () => {
    const found = all.filter(({ sql }) => offences(sql).length > 0).map(({ name }) => name);
    expect(found.sort()).toEqual([...BEFORE_THE_RULE].sort());
  });
});

test.each([
  "UPDATE audit_events SET tokens = tokens",
  "UPDATE certificate_endpoints e SET urgency = array_position(ARRAY['critical'], e.status)",
  "CREATE INDEX late ON uptime_monitors (organization_id, urgency)",
  "DELETE FROM ONLY uptime_checks WHERE true",
  "INSERT INTO seen SELECT DISTINCT api_key_id FROM audit_events",
  "CREATE INDEX late ON audit_events (route)",
  "CREATE UNIQUE INDEX late ON public.audit_bodies (id)",
  "ALTER TABLE audit_events ALTER COLUMN status_code TYPE integer",
  "ALTER TABLE audit_events ALTER COLUMN path SET NOT NULL",
  "ALTER TABLE audit_events ADD COLUMN late uuid DEFAULT gen_random_uuid()",
  "ALTER TABLE audit_events ADD COLUMN late text NOT NULL",
  "ALTER TABLE audit_events ADD COLUMN late text GENERATED ALWAYS AS (path) STORED",
  "ALTER TABLE audit_events ADD COLUMN fine text, ADD CHECK (path <> '')",
  "ALTER TABLE audit_rollups ADD CONSTRAINT late CHECK (events > 0)",
  "DO $$ BEGIN UPDATE audit_events SET path = ''; END $$",
  "CREATE TABLE copied AS SELECT * FROM audit_events",
  "WITH old AS (SELECT * FROM uptime_checks) SELECT count(*) FROM old",
])("is refused: %s", (sql) => {
  expect(offences(`-- a comment;\n${sql};`)).toHaveLength(1);
});

test.each([
  "ALTER TABLE audit_events ADD COLUMN late text",
  "ALTER TABLE audit_events ADD COLUMN late bigint NOT NULL DEFAULT 0, ADD COLUMN later text[] DEFAULT '{}'::text[]",
  "ALTER TABLE audit_events ADD CONSTRAINT late CHECK (path <> '') NOT VALID",
  "CREATE INDEX late ON ONLY audit_events (route)",
  "DROP INDEX audit_events_organization_id_text_idx",
  "CREATE TABLE uptime_checks (id uuid); CREATE INDEX ON uptime_checks (id)",
  "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DELETE FROM audit_events; END $$",
  "UPDATE organizations SET name = name",
])("is allowed: %s", (sql) => {
  expect(offences(sql)).toEqual([]);
});
