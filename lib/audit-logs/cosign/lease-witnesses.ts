import { auditPool } from "@/lib/db/audit";
import { NOBODY } from "@/lib/ids";
import { processSingleton } from "@/lib/process-singleton";

/** Seconds that a process has for a witness: two requests with all that is read for them. */
const LEASE_SECONDS = 60;
/** A witness that has cosigned the newest checkpoint is asked again after this time: that it still answers, and what the time is. */
const REPEAT_SECONDS = 600;

/** A witness that was asked at most this long before a process started counts as asked since, because a statement takes a moment. */
const START_SECONDS = 5;

/** A witness that is to be asked. */
export interface DueWitness {
  /** Of nobody: the log over all heads is the installation's. */
  organizationId: string;
  name: string;
  vkey: string;
  url: string;
  /** The epoch and the size of the log that it has cosigned last; null and 0 before the first. */
  epoch: number | null;
  size: number;
  failures: number;
  leased_until: Date;
}

/** Witnesses that neither wait nor are leased, with the newest round to cosign. */
export const FREE = `audit_seal_witnesses w CROSS JOIN audit_seal_installation i CROSS JOIN LATERAL (
      SELECT index FROM audit_seal_rounds r WHERE r.epoch = i.epoch AND checkpoint IS NOT NULL ORDER BY index DESC LIMIT 1
    ) AS newest
    WHERE next_at <= now() AND (leased_until IS NULL OR leased_until <= now())`;

/** Whether there is something that a witness has not cosigned. */
export const BEHIND = "w.epoch IS DISTINCT FROM i.epoch OR w.size <= newest.index";

/** Due: there is something that it has not cosigned, it has not been asked for long, or not since this process started. */
const LEASE = `
  UPDATE audit_seal_witnesses w SET leased_until = now() + interval '${LEASE_SECONDS} seconds', asked_at = now()
  WHERE name IN (
    SELECT name FROM ${FREE}
      AND (${BEHIND} OR asked_at IS NULL OR asked_at < now() - make_interval(secs => least(${REPEAT_SECONDS}, $2::float8 + ${START_SECONDS})))
    ORDER BY next_at LIMIT $1 FOR UPDATE OF w SKIP LOCKED
  )
  RETURNING name, vkey, url, epoch, size::float8 AS size, failures, leased_until`;

/** Leases up to `most` witnesses that are due. */
export async function leaseWitnesses(most: number): Promise<DueWitness[]> {
  const since = started();
  const { rows } = await auditPool().query<Omit<DueWitness, "organizationId">>(LEASE, [
    most,
    (performance.now() - since) / 1000,
  ]);
  return rows.map((row) => ({ organizationId: NOBODY, ...row }));
}

/**
 * When this process asked first, as `performance.now()`, because `asked_at` is by the database's clock. After a start, witnesses are
 * asked at once: both databases may have been restored.
 */
const started = () => processSingleton("audit-logs.cosign.started", () => performance.now());
