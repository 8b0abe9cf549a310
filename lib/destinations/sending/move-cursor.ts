import { inTransaction, pool, type Transaction } from "@/lib/db/app";
import type { Next } from "@/lib/destinations/batches/read-batch";
import { notifyOfExpiry } from "@/lib/destinations/notify";
import { countSent } from "@/lib/destinations/sending/count-sent";
import { LEASE_SECONDS, type Leased } from "@/lib/destinations/sending/lease";

/** Milliseconds in which expired entries of a destination are reported only once. */
const REPORT_INTERVAL_MS = 24 * 3_600_000;

/**
 * Notes where a batch ends before it is sent, and extends the lease. Null if another process has the destination, or somebody paused or
 * changed it meanwhile: nothing is sent then.
 */
export async function beginAttempt(item: Leased, end: number): Promise<Leased | null> {
  const { rows } = await pool().query<Pick<Leased, "leasedUntil">>(
    `UPDATE destinations SET attempt_end = $4, leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
     WHERE organization_id = $1 AND id = $2 AND leased_until = $3 AND paused_at IS NULL RETURNING leased_until AS "leasedUntil"`,
    [item.organizationId, item.id, item.leasedUntil, end],
  );
  return rows[0] === undefined ? null : { ...item, attemptEnd: end, leasedUntil: rows[0].leasedUntil };
}

/**
 * Moves the place of a leased destination past what the receiver has, or past what does not match, and extends the lease. Null if
 * another process has it, or somebody paused or changed it meanwhile: the batch is then sent again.
 */
export async function moveCursor(
  item: Leased,
  { batch, cursor, expired }: Next,
): Promise<Pick<Leased, "cursor" | "leasedUntil" | "attemptEnd" | "failures" | "sentByHour"> | null> {
  const accepted = batch?.events.length ?? 0;
  return inTransaction(async (tx) => {
    const leasedUntil = await extendLease(tx, item);
    if (leasedUntil === null) return null;
    const lastReport = expired > 0 ? await lastReportOf(tx, item) : null;
    const now = new Date();
    const sentByHour = accepted > 0 ? countSent(item.sentByHour, accepted, now) : item.sentByHour;
    await tx.destination.update({
      where: { organizationId_id: { organizationId: item.organizationId, id: item.id } },
      data: {
        ...{ epoch: cursor.epoch, nextIndex: cursor.next, scannedIndex: cursor.scanned },
        ...(batch !== null && { attemptEnd: null }),
        ...(batch !== null && { lastSentAt: now, failures: 0, failingSince: null }),
        ...(accepted > 0 && { sentEvents: { increment: accepted }, sentByHour }),
        ...(expired > 0 && { expiredEntries: { increment: expired }, expiredAt: now }),
      },
    });
    if (expired > 0 && (lastReport === null || now.getTime() - lastReport.getTime() > REPORT_INTERVAL_MS)) {
      await notifyOfExpiry(tx, item, now, {
        title: `Events expired before they reached ${item.name}`,
        text: `${expired} ${expired === 1 ? "entry" : "entries"} of the audit log ${expired === 1 ? "was" : "were"} deleted at the end of the retention before the stream could send them. The stream names their indexes.`,
      });
    }
    return {
      cursor,
      leasedUntil,
      attemptEnd: batch === null ? item.attemptEnd : null,
      failures: batch === null ? item.failures : 0,
      sentByHour,
    };
  });
}

/** Extends the lease, if nobody has taken, moved or paused the destination. The row stays locked until the end of the transaction. */
async function extendLease(tx: Transaction, { organizationId, id, cursor, leasedUntil }: Leased): Promise<Date | null> {
  const [row] = await tx.$queryRaw<{ leasedUntil: Date }[]>`
    UPDATE destinations SET leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE organization_id = ${organizationId}::uuid AND id = ${id}::uuid AND leased_until = ${leasedUntil}
      AND epoch = ${cursor.epoch} AND next_index = ${cursor.next} AND paused_at IS NULL
    RETURNING leased_until AS "leasedUntil"`;
  return row?.leasedUntil ?? null;
}

async function lastReportOf(tx: Transaction, { organizationId, id }: Leased): Promise<Date | null> {
  const row = await tx.destination.findUnique({
    where: { organizationId_id: { organizationId, id } },
    select: { expiredAt: true },
  });
  return row?.expiredAt ?? null;
}
