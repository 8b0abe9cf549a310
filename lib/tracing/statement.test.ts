import { expect, test } from "vitest";
import { describeStatement } from "@/lib/tracing/statement";

test.each([
  ["SELECT 1", "SELECT"],
  ["BEGIN READ ONLY; SET LOCAL statement_timeout = '5'", "BEGIN"],
  ['SELECT "public"."api_keys"."id" FROM "public"."api_keys" WHERE "public"."api_keys"."id" = $1', "SELECT api_keys"],
  ["\n  insert into users (email) values ($1)", "INSERT users"],
  ["UPDATE ONLY uptime_monitors t SET leased_until = now()", "UPDATE uptime_monitors"],
  ["DELETE FROM sessions WHERE id = $1", "DELETE sessions"],
  ["WITH due AS (SELECT id FROM domains FOR UPDATE SKIP LOCKED) UPDATE domains SET x = 1 FROM due", "WITH domains"],
  [
    "WITH sent AS MATERIALIZED (SELECT * FROM unnest($1::uuid[])) SELECT * FROM sent JOIN audit_events USING (id)",
    "WITH audit_events",
  ],
  ["SELECT 'from secrets' FROM people WHERE email = 'x@example.com'", "SELECT people"],
  [
    "SELECT $$ from secrets $$, e'it\\'s from secrets' -- from secrets\n /* from secrets */ FROM people",
    "SELECT people",
  ],
  ["SELECT 'an open quote from secrets", "SELECT"],
  ["", "STATEMENT"],
  ["; DROP TABLE x", "STATEMENT x"],
])("%s is described as %s", (text, summary) => {
  const { name, attributes } = describeStatement(text, undefined);
  expect(name).toBe(summary);
  expect(JSON.stringify(attributes)).not.toMatch(/secrets|example\.com/);
});

test("a prepared statement has its name", () => {
  const { name, attributes } = describeStatement("SELECT id FROM api_key_secrets WHERE hash = $1", "find-key");
  expect(name).toBe("find-key");
  expect(attributes).toEqual({
    "db.system.name": "postgresql",
    "db.operation.name": "SELECT",
    "db.collection.name": "api_key_secrets",
    "db.query.summary": "find-key",
  });
});

test("a long text takes little time", () => {
  const started = performance.now();
  describeStatement(`SELECT ${"'".repeat(500_000)} ${"from ".repeat(100_000)}`, undefined);
  describeStatement(`WITH ${"a as ".repeat(100_000)}`, undefined);
  expect(performance.now() - started).toBeLessThan(2_000);
});
