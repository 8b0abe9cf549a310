import type pg from "pg";
import { readInstallation } from "@/lib/audit-logs/sign/installation";
import { lastRound } from "@/lib/audit-logs/sign/last-round";
import { asSigner } from "@/lib/audit-logs/sign/signer-lock";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import type { HeadsProof } from "@/lib/sealed-log/heads";

/** Checkpoints per statement. */
const STEP = 1_000;

/** An organization's newest checkpoint, of which no time stamp exists. */
interface Unstamped {
  organization_id: string;
  slot: number;
  epoch: number;
  size: number;
}

/**
 * Chooses the newest checkpoint of the installation's log for today's time stamp (UTC), and shows of each organization's newest
 * checkpoint, unless it has a stamp already, that it is among the heads of that one. Does nothing if today has one, or while a round is
 * being signed.
 */
export async function prepareStamp(): Promise<void> {
  if (await isPrepared(auditPool())) return;
  const { host, refused } = await readInstallation();
  if (host === null || refused !== null) return;
  // No round may begin meanwhile: the heads are those of the last one.
  await asSigner(() =>
    withTransaction(auditPool(), async (client) => {
      if (await isPrepared(client)) return;
      const round = await lastRound(client, host);
      if (round === null) return;
      await client.query("DELETE FROM audit_seal_stamps WHERE token IS NULL");
      const unstamped = await unstampedLogs(client);
      for (let from = 0; from < unstamped.length; from += STEP) {
        await setHeads(client, unstamped.slice(from, from + STEP), round.headsOf);
      }
      await client.query("INSERT INTO audit_seal_stamps (epoch, index, checkpoint) VALUES ($1, $2, $3)", [
        round.epoch,
        round.index,
        round.checkpoint,
      ]);
    }),
  );
}

/** Whether today's checkpoint was chosen, or the newest one has a stamp already. */
async function isPrepared(database: Pick<pg.ClientBase, "query">): Promise<boolean> {
  const { rows } = await database.query<{ is: boolean }>(
    `SELECT EXISTS (SELECT FROM audit_seal_stamps WHERE created_at >= date_trunc('day', now(), 'UTC')) OR coalesce((
       SELECT (epoch, index) IN (SELECT epoch, index FROM audit_seal_stamps WHERE token IS NOT NULL)
       FROM audit_seal_rounds ORDER BY epoch DESC, index DESC LIMIT 1
     ), true) AS is`,
  );
  return rows[0]?.is === true;
}

async function unstampedLogs(client: pg.PoolClient): Promise<Unstamped[]> {
  const { rows } = await client.query<Unstamped>(
    `SELECT l.organization_id, l.slot::float8 AS slot, l.epoch, l.head_size::float8 AS size
     FROM audit_seal_logs l JOIN audit_seal_checkpoints c
       ON c.organization_id = l.organization_id AND c.epoch = l.epoch AND c.size = l.head_size
     WHERE head_root IS NOT NULL AND NOT EXISTS (
       SELECT FROM audit_seal_stamps s WHERE s.epoch = c.epoch AND s.index = (c.heads->>'index')::bigint
     )`,
  );
  return rows;
}

async function setHeads(
  client: pg.PoolClient,
  logs: readonly Unstamped[],
  headsOf: (slot: number) => HeadsProof,
): Promise<void> {
  await client.query(
    `UPDATE audit_seal_checkpoints c SET heads = due.heads::jsonb, first_heads = coalesce(c.first_heads, c.heads)
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
