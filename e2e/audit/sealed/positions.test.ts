import { expect, test } from "vitest";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { firstSealedSince, positionAt } from "@/lib/audit-logs/bundle/log-position";
import { auditPool } from "@/lib/db/audit";
import { newId } from "@/lib/ids";

const server = sharedServer();

/** Rows of seals by their index, with the second in which they were sealed. */
async function sealedRows(epoch: number, organizationId: string, rows: [index: number, second: number][]) {
  await query(
    server,
    "audit",
    `INSERT INTO audit_seals (organization_id, epoch, first_index, retention_days, filed_at, sealed_at, min_at, max_at, ids, nonces, commitments)
     SELECT $1, $2, index, 30, now(), to_timestamp(second), now(), now(), '{}', '', ''
     FROM unnest($3::bigint[], $4::bigint[]) AS row (index, second)`,
    [organizationId, epoch, rows.map(([index]) => index), rows.map(([, second]) => second)],
  );
}

test("the first entry since a time is found in rows of any length, with equal times and gaps", async () => {
  const organizationId = newId();
  // Squares are rows of uneven length; the oldest ones have expired, and some in the middle are missing.
  const numbers = Array.from({ length: 200 }, (_, at) => at + 10).filter((at) => at < 90 || at > 120);
  const rows = numbers.map((at): [number, number] => [at * at, 1_000 + Math.floor(at / 3) * 10]);
  await sealedRows(1, organizationId, rows);
  const log = { organization_id: organizationId, epoch: 1 };
  const found = (second: number) => firstSealedSince(auditPool(), log, new Date(second * 1_000));
  for (let second = 1_000; second < 1_750; second += 5)
    expect([second, await found(second)]).toEqual([second, rows.find(([, at]) => at >= second)?.[0] ?? null]);
  expect(await firstSealedSince(auditPool(), { ...log, epoch: 2 }, new Date(0))).toBeNull();
});

test("the first entry since a time is in the first epoch that has one", async () => {
  const organizationId = newId();
  await sealedRows(1, organizationId, [[0, 1_000]]);
  await sealedRows(3, organizationId, [[0, 2_000]]);
  const found = (second: number) => positionAt(auditPool(), organizationId, new Date(second * 1_000));
  expect(await Promise.all([1_000, 1_001, 2_001].map(found))).toEqual([
    { epoch: 1, index: 0 },
    { epoch: 3, index: 0 },
    null,
  ]);
});
