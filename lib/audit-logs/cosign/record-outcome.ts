import type pg from "pg";
import type { WitnessOutcome } from "@/lib/audit-logs/cosign/ask-witness";
import type { DueWitness } from "@/lib/audit-logs/cosign/lease-witnesses";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { log } from "@/lib/log";

/** Seconds to wait after the first failure, doubled with each further one, and at most. */
const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 600;
/** Cosignatures that are judged with each new one, whether a kept checkpoint needs them, when they are as old. */
const EXPIRED = 20;
const EXPIRY = "2 days";

/** Ends the lease of a witness, and keeps its cosignature. A witness that was removed meanwhile changes nothing. */
export async function recordOutcome(witness: DueWitness, outcome: WitnessOutcome): Promise<void> {
  const { name } = witness;
  if (outcome.kind === "failed") log.warn({ witness: name, reason: outcome.reason }, "a witness has not cosigned");
  if (outcome.kind === "refused") log.error({ witness: name, reason: outcome.reason }, "a witness refuses the log");
  await withTransaction(auditPool(), async (client) => {
    if (!(await endLease(client, witness, outcome)) || outcome.kind !== "cosigned") return;
    const { epoch, index, at, line } = outcome;
    await client.query(
      `INSERT INTO audit_seal_cosignatures (epoch, index, vkey, first_at, first_line, last_at, last_line, kept)
       SELECT $1, $2, $3, $4, $5, $4, $5, covered_index IS NOT DISTINCT FROM $2 FROM audit_seal_installation
       ON CONFLICT (epoch, index, vkey) DO UPDATE SET last_at = excluded.last_at, last_line = excluded.last_line
       WHERE audit_seal_cosignatures.last_at < excluded.last_at`,
      [epoch, index, witness.vkey, at, line],
    );
    // Checkpoints signed before it was added, or while it was unavailable, are covered soon, not only within the hour.
    if (witness.failures > 0 || witness.epoch === null) {
      await client.query(
        "UPDATE audit_seal_installation SET covered_at = NULL WHERE covered_at < now() - interval '10 minutes'",
      );
    }
    await expire(client);
  });
}

/** Returns whether the lease was still held. */
async function endLease(client: pg.PoolClient, witness: DueWitness, outcome: WitnessOutcome): Promise<boolean> {
  const own = [witness.name, witness.leased_until];
  const holds = "leased_until = NULL WHERE name = $1 AND leased_until = $2";
  const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(witness.failures, 10));
  const later = "next_at = now() + make_interval(secs => $3), failures = failures + 1";
  switch (outcome.kind) {
    case "idle":
      return isOne(await client.query(`UPDATE audit_seal_witnesses SET ${holds}`, own));
    case "failed": {
      const values = [...own, Math.max(pause, outcome.pause), outcome.reason];
      return isOne(await client.query(`UPDATE audit_seal_witnesses SET ${later}, failure = $4, ${holds}`, values));
    }
    case "refused": {
      const values = [...own, pause, outcome.reason, outcome.epoch];
      return isOne(
        await client.query(
          `UPDATE audit_seal_witnesses SET ${later}, failure = NULL, refused = $4, refused_epoch = $5, ${holds}`,
          values,
        ),
      );
    }
    case "seen":
      return isOne(
        await client.query(`UPDATE audit_seal_witnesses SET epoch = $3, size = $4, ${holds}`, [
          ...own,
          outcome.epoch,
          outcome.size,
        ]),
      );
    case "cosigned":
      return isOne(
        await client.query(
          `UPDATE audit_seal_witnesses SET epoch = $3, size = $4, cosigned_at = $5, next_at = now(), failures = 0,
             failure = NULL, refused = NULL, refused_epoch = NULL, ${holds}`,
          [...own, outcome.epoch, outcome.index + 1, outcome.at],
        ),
      );
  }
}

const isOne = ({ rowCount }: pg.QueryResult) => rowCount === 1;

/** Of the oldest cosignatures, keeps those that a checkpoint needs, and deletes the others. */
async function expire(client: pg.PoolClient): Promise<void> {
  await client.query(
    `WITH old AS (
       SELECT epoch, index, vkey, EXISTS (
         SELECT FROM audit_seal_checkpoints c
         WHERE c.epoch = s.epoch AND (coalesce(c.first_heads, c.heads)->>'index')::bigint = s.index
       ) AS is_needed
       FROM audit_seal_cosignatures s WHERE NOT kept AND first_at < now() - interval '${EXPIRY}' ORDER BY first_at LIMIT ${EXPIRED}
     ), needed AS (
       UPDATE audit_seal_cosignatures s SET kept = true FROM old
       WHERE is_needed AND (s.epoch, s.index, s.vkey) = (old.epoch, old.index, old.vkey)
     )
     DELETE FROM audit_seal_cosignatures s USING old
     WHERE NOT is_needed AND (s.epoch, s.index, s.vkey) = (old.epoch, old.index, old.vkey)`,
  );
}
