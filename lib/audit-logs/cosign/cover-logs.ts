import type pg from "pg";
import { readInstallation } from "@/lib/audit-logs/sign/installation";
import { type LastRound, lastRound } from "@/lib/audit-logs/sign/last-round";
import { asSigner } from "@/lib/audit-logs/sign/signer-lock";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";

/** Checkpoints per statement. */
const STEP = 1_000;

/** An organization's newest checkpoint. */
interface Covered {
  organization_id: string;
  slot: number;
  epoch: number;
  size: number;
}

/**
 * Shows of each organization's newest checkpoint that it is among the heads of the last round, which the witnesses are asked to cosign
 * next: that quiet logs have not grown either. Once an hour, if a witness answers and there is a round since. Nothing while a round is
 * being signed.
 */
export async function coverLogs(): Promise<void> {
  if (!(await isDue(auditPool()))) return;
  const { host, refused } = await readInstallation();
  if (host === null || refused !== null) return;
  await asSigner(() =>
    withTransaction(auditPool(), async (client) => {
      if (!(await isDue(client))) return;
      const round = await lastRound(client, host);
      if (round === null) return;
      const logs = await coveredLogs(client, round);
      for (let from = 0; from < logs.length; from += STEP) await cover(client, logs.slice(from, from + STEP), round);
      await client.query(
        "UPDATE audit_seal_cosignatures SET kept = true WHERE epoch = $1 AND index = $2 AND NOT kept",
        [round.epoch, round.index],
      );
      await client.query("UPDATE audit_seal_installation SET covered_index = $1, covered_at = now()", [round.index]);
    }),
  );
}

async function isDue(database: Pick<pg.ClientBase, "query">): Promise<boolean> {
  const { rows } = await database.query<{ is: boolean }>(
    `SELECT EXISTS (
       SELECT FROM audit_seal_installation i WHERE (covered_at IS NULL OR covered_at < now() - interval '1 hour')
         AND EXISTS (SELECT FROM audit_seal_witnesses w WHERE w.failures = 0 AND w.epoch = i.epoch)
         AND EXISTS (
           SELECT FROM audit_seal_rounds r
           WHERE r.epoch = i.epoch AND checkpoint IS NOT NULL AND (covered_index IS NULL OR r.index > covered_index)
         )
     ) AS is`,
  );
  return rows[0]?.is === true;
}

/** The organizations whose newest checkpoint is of another round. */
async function coveredLogs(client: pg.PoolClient, { epoch, index }: LastRound): Promise<Covered[]> {
  const { rows } = await client.query<Covered>(
    `SELECT l.organization_id, l.slot::float8 AS slot, l.epoch, l.head_size::float8 AS size
     FROM audit_seal_logs l JOIN audit_seal_checkpoints c
       ON c.organization_id = l.organization_id AND c.epoch = l.epoch AND c.size = l.head_size
     WHERE head_root IS NOT NULL AND l.epoch = $1 AND (coalesce(c.first_heads, c.heads)->>'index')::bigint <> $2`,
    [epoch, index],
  );
  return rows;
}

async function cover(client: pg.PoolClient, logs: readonly Covered[], { headsOf }: LastRound): Promise<void> {
  await client.query(
    `UPDATE audit_seal_checkpoints c SET covered = due.heads::jsonb
     FROM unnest($1::uuid[], $2::integer[], $3::bigint[], $4::text[]) AS due (organization_id, epoch, size, heads)
     WHERE c.organization_id = due.organization_id AND c.epoch = due.epoch AND c.size = due.size`,
    [
      logs.map(({ organization_id }) => organization_id),
      logs.map(({ epoch }) => epoch),
      logs.map(({ size }) => size),
      logs.map(({ slot }) => JSON.stringify(headsOf(slot))),
    ],
  );
}
