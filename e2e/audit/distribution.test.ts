import { describe, expect, test } from "vitest";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";

const server = sharedServer();

/** Our tables and their partitions in the migrated database, without those about the whole installation, of which each node has a copy. */
const TABLES = `pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE nspname IN ('public', 'partitions') AND c.relkind IN ('r', 'p')
    AND c.relname NOT IN ('_prisma_migrations', 'audit_seal_installation', 'audit_seal_rounds', 'audit_seal_round_blocks',
      'audit_seal_stamps', 'audit_seal_witnesses', 'audit_seal_cosignatures')`;

const listed = async (text: string) =>
  (await query<{ what: string }>(server, "audit", text)).map(({ what }) => what).sort();

/** Rows of different organizations may be on different nodes, so no query may need both. */
describe("the audit schema can be distributed by organization", () => {
  test("every table has the organization, always and as a UUID", async () => {
    const all = await listed(`SELECT c.relname AS what FROM ${TABLES}`);
    const without = await listed(
      `SELECT c.relname AS what FROM ${TABLES} AND NOT EXISTS (SELECT FROM pg_attribute
         WHERE attrelid = c.oid AND attname = 'organization_id' AND attnotnull AND atttypid = 'uuid'::regtype)`,
    );
    expect(all).toEqual(expect.arrayContaining(["audit_events", "audit_bodies", "audit_rollups", "audit_deltas"]));
    expect(all.some((name) => /^audit_events_\d+_\d{8}$/.test(name))).toBe(true);
    expect(without).toEqual([]);
  });

  test("every table has a primary key, and every unique key begins with the organization", async () => {
    // One statement each: the worker and other suites create days between two.
    const keyless = await listed(
      `SELECT c.relname AS what FROM ${TABLES} AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisprimary)`,
    );
    expect(keyless).toEqual([]);
    const others = await listed(
      `SELECT indexrelid::regclass::text AS what FROM pg_index JOIN (SELECT c.oid FROM ${TABLES}) AS c ON c.oid = indrelid
       WHERE indisunique AND pg_get_indexdef(indexrelid, 1, false) <> 'organization_id'`,
    );
    expect(others).toEqual([]);
  });

  test("every other index begins with it as well, but for the one by which a round's checkpoints are found on every node", async () => {
    const others = `SELECT indexrelid::regclass::text AS what FROM pg_index JOIN (SELECT c.oid FROM ${TABLES}) AS c ON c.oid = indrelid
      WHERE pg_get_indexdef(indexrelid, 1, false) <> 'organization_id'`;
    expect(await listed(others)).toEqual(["audit_seal_checkpoints_round_idx"]);
  });

  test("there are no foreign keys, triggers or sequences", async () => {
    const kinds = `SELECT conname AS what FROM pg_constraint JOIN (SELECT c.oid FROM ${TABLES}) AS c ON c.oid = conrelid
      WHERE contype IN ('f', 'x', 't')`;
    expect(await listed(kinds)).toEqual([]);
    const triggers = `SELECT tgname AS what FROM pg_trigger JOIN (SELECT c.oid FROM ${TABLES}) AS c ON c.oid = tgrelid`;
    expect(await listed(triggers)).toEqual([]);
    const sequences = `SELECT sequencename AS what FROM pg_sequences WHERE schemaname IN ('public', 'partitions')`;
    expect(await listed(sequences)).toEqual([]);
  });
});
