import type { RecordedFields } from "@/lib/audit-logs/write/changes";
import { requireFewerThan } from "@/lib/billing/fixed-limit";
import { db, type Transaction } from "@/lib/db/app";
import type { MaintenanceWindow as Row } from "@/lib/db/generated/app/client";
import { invalid, notFound } from "@/lib/http/errors";
import { isWithin } from "@/lib/uptime/checks/state";
import { MAX_AHEAD, MAX_WINDOWS, type MaintenanceWindow } from "@/lib/uptime/maintenance-windows/contract";

const LONGEST_MS = 90 * 86_400_000;
const REPEATED_MS: Record<string, number> = { daily: 86_400_000, weekly: 7 * 86_400_000 };

/** A maintenance window as the contract shows it. */
export function toMaintenanceWindow(row: Row): MaintenanceWindow {
  return {
    id: row.id,
    name: row.name,
    monitor_ids: row.monitorIds,
    starts_at: row.startsAt.toISOString(),
    ends_at: row.endsAt.toISOString(),
    repeat: row.repeat as MaintenanceWindow["repeat"],
    active: isWithin(row, Date.now()),
    created_at: row.createdAt.toISOString(),
  };
}

/** The fields of a window whose changes are recorded. */
export function recordedWindow({ name, monitor_ids, starts_at, ends_at, repeat }: MaintenanceWindow): RecordedFields {
  return { name, monitor_ids, starts_at, ends_at, repeat };
}

/** One window of the organization. Throws 404. */
export async function readMaintenanceWindow(
  organizationId: string,
  id: string,
  tx: Pick<Transaction, "maintenanceWindow"> = db(),
): Promise<MaintenanceWindow> {
  const row = await tx.maintenanceWindow.findUnique({ where: { organizationId_id: { organizationId, id } } });
  if (row === null) throw notFound();
  return toMaintenanceWindow(row);
}

/** Whether checks may still fall into a window. */
export function isAhead({ repeat, endsAt }: Pick<Row, "repeat" | "endsAt">): boolean {
  return repeat !== "none" || endsAt.getTime() > Date.now();
}

/** Refuses one more window that has not ended, beyond the most that an organization can have; see `requireFewerThan`. Throws 409. */
export async function requireRoomAhead(tx: Transaction, organizationId: string): Promise<void> {
  const where = { organizationId, OR: [{ repeat: { not: "none" } }, { endsAt: { gt: new Date() } }] };
  const count = () => tx.maintenanceWindow.count({ where });
  await requireFewerThan(tx, organizationId, MAX_AHEAD, "maintenance windows that have not ended", count);
}

/** The same for one more of any kind. */
export async function requireRoomForWindow(tx: Transaction, organizationId: string): Promise<void> {
  const count = () => tx.maintenanceWindow.count({ where: { organizationId } });
  await requireFewerThan(tx, organizationId, MAX_WINDOWS, "maintenance windows, with those that have ended", count);
}

/** Throws 400 if the time span is invalid or a monitor does not belong to the organization, except `former` ones that it had before. */
export async function assertWindow(
  tx: Transaction,
  organizationId: string,
  { startsAt, endsAt, repeat, monitorIds }: Pick<Row, "startsAt" | "endsAt" | "repeat" | "monitorIds">,
  former: readonly string[] = [],
): Promise<void> {
  const length = endsAt.getTime() - startsAt.getTime();
  if (length <= 0) throw invalid("ends_at", "must be after starts_at");
  if (length > (REPEATED_MS[repeat] ?? LONGEST_MS)) {
    throw invalid(
      "ends_at",
      repeat === "none" ? "must be at most 90 days after starts_at" : "must be before the next repetition",
    );
  }
  const known = await tx.uptimeMonitor.findMany({
    where: { organizationId, id: { in: monitorIds } },
    select: { id: true },
  });
  const ids = new Set([...known.map(({ id }) => id), ...former]);
  const unknown = monitorIds.findIndex((id) => !ids.has(id));
  if (unknown !== -1) throw invalid(`monitor_ids.${unknown}`, "is not a monitor of this organization");
}
