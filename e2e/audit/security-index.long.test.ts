import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { reader, store } from "@/e2e/audit/store";
import { bind } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { buildIndexes, hasSecurityIndex } from "@/lib/audit-logs/partitions/build-indexes";
import { groupSecurityEvents } from "@/lib/audit-logs/security/group-security-events";
import { lockClasses } from "@/lib/db/hold-lock";
import { idAt } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/units";

const MIGRATION = "prisma/audit/migrations/20261124070000_security_index/migration.sql";
const INDEX = "audit_events_security_idx";

let server: Sealwatch;
beforeAll(async () => {
  server = await startSealwatch();
  bind(server);
});
afterAll(() => server?.destroy());

/** The days with events, of which the first has an index that is not attached, the second an invalid one. */
const AGES = [3, 2, 1];

test("the index of security events is built in days that are older than it, whatever an earlier run left, and groups stay the same", async () => {
  const principal = reader();
  const now = Date.now();
  const events = AGES.flatMap((age) =>
    [1, 2].map((number) => {
      const { row } = new AuditEventDraft({
        ...{ organization_id: principal.organizationId, retention_days: 30, flags: ["rate_limited"], status_code: 429 },
        ...{ auth_type: "api_key", api_key_id: principal.organizationId, ip_address: `192.0.2.${number}` },
        ...{ method: "GET", path: "/x", id: idAt(now - age * DAY_MS + number).replace(/0$/, `${number}`) },
      });
      return row;
    }),
  );
  await store(events);
  const days = AGES.map((age) => {
    const label = new Date(now - age * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "");
    return `audit_events_30_${label}`;
  });

  // The server's worker waits meanwhile.
  const owner = new pg.Client({ connectionString: server.databases.audit });
  await owner.connect();
  await owner.query("SELECT pg_advisory_lock($1, 0)", [lockClasses.indexes | 0]);
  await owner.query(`DROP INDEX ${INDEX}`);
  await owner.query(readFileSync(MIGRATION, "utf8"));
  const [first, second] = days;
  await owner.query(
    `CREATE INDEX ${first}_security_idx ON partitions.${first} (organization_id, id)
       INCLUDE (retention_days, flags, ip_address, country, api_key_id, api_key_hint, user_id) WHERE is_security_event`,
  );
  const twice = `CREATE UNIQUE INDEX CONCURRENTLY ${second}_security_idx ON partitions.${second} (organization_id)`;
  await expect(owner.query(twice)).rejects.toMatchObject({ code: "23505" });

  expect(await hasSecurityIndex()).toBe(false);
  const range = { since: now - 4 * DAY_MS, until: now } as Parameters<typeof groupSecurityEvents>[1];
  const before = await groupSecurityEvents(principal, range);
  expect(before.groups).toMatchObject([{ flag: "rate_limited", events: events.length, unique_ips: 2 }]);

  await owner.end();
  const isBuilt = async () => {
    await buildIndexes(new AbortController().signal);
    return hasSecurityIndex();
  };
  await until("the index is built", isBuilt, 300_000);
  expect(await groupSecurityEvents(principal, range)).toEqual(before);
  const without = `SELECT relid::regclass AS "table" FROM pg_partition_tree('audit_events') tree WHERE NOT EXISTS (
    SELECT FROM pg_partition_tree('${INDEX}') i JOIN pg_index ON indexrelid = i.relid WHERE indrelid = tree.relid AND indisvalid)`;
  expect(await query(server, "audit", without)).toEqual([]);
});
