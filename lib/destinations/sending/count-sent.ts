import type { Transaction } from "@/lib/db/app";

const HOUR_MS = 3_600_000;
/** The hours that are kept: one more than a day has. */
const KEPT_HOURS = 25;

/** Counts events that were sent, in the hour (UTC) of `now`, for a destination that the transaction has locked. Older hours are dropped. */
export async function countSent(
  tx: Transaction,
  { organizationId, id }: { organizationId: string; id: string },
  events: number,
  now: Date,
): Promise<void> {
  const where = { organizationId_id: { organizationId, id } };
  const row = await tx.destination.findUnique({ where, select: { sentByHour: true } });
  if (row === null) return;
  const hour = Math.floor(now.getTime() / HOUR_MS);
  const kept = Object.entries(row.sentByHour as Record<string, number>).filter(
    ([at]) => Number(at) > hour - KEPT_HOURS,
  );
  const hours = Object.fromEntries(kept);
  await tx.destination.update({ where, data: { sentByHour: { ...hours, [hour]: (hours[hour] ?? 0) + events } } });
}
