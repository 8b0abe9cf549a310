import { type Filters, filters } from "@/lib/audit-logs/filters";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { type RecordedFields, recordChanges } from "@/lib/audit-logs/write/changes";
import { db, type Transaction } from "@/lib/db/app";
import type { Prisma, Destination as Row } from "@/lib/db/generated/app/client";
import type { Destination } from "@/lib/destinations/contract";
import type { FormatName } from "@/lib/destinations/formats/names";
import { type Lag, readLags } from "@/lib/destinations/lag";
import { sealContextOf } from "@/lib/destinations/secrets";
import { type DestinationType, shapeOf } from "@/lib/destinations/shapes";
import { stateOf } from "@/lib/destinations/states";
import { ApiError, notFound } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";
import { recordedSecrets, recordedSettings } from "@/lib/notification-channels/stored-secrets";

/** The error for a second one with the same name. */
export const SAME_NAME = "A destination with this name already exists.";

/** A destination as the contract shows it. */
function toDestination(row: Row, lag: Lag | null): Destination {
  const type = row.type as DestinationType;
  return {
    id: row.id,
    name: row.name,
    type,
    target: shapeOf(type).describe(row.settings),
    settings: row.settings as Record<string, unknown>,
    secrets: row.secretFields,
    format: row.format as FormatName,
    query: row.query as Record<string, string>,
    state: stateOf(row),
    paused_at: row.pausedAt?.toISOString() ?? null,
    paused_reason: row.pausedReason,
    next: { epoch: row.epoch, index: Number(row.nextIndex) },
    lag,
    sent_events: Number(row.sentEvents),
    rejected_events: 0,
    expired_entries: Number(row.expiredEntries),
    expired_at: row.expiredAt?.toISOString() ?? null,
    last_sent_at: row.lastSentAt?.toISOString() ?? null,
    last_failed_at: row.lastFailedAt?.toISOString() ?? null,
    last_error:
      row.lastError === null ? null : { message: row.lastError, status: row.lastStatus, answer: row.lastEvidence },
    next_attempt_at: row.failures > 0 && row.pausedAt === null ? row.nextAt.toISOString() : null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** Destinations of one organization as the contract shows them, each with its lag. */
export async function showDestinations(organizationId: string, rows: readonly Row[]): Promise<Destination[]> {
  const lags = await readLags(organizationId, rows);
  return rows.map((row) => toDestination(row, lags.get(row.id) ?? null));
}

/** One destination as the contract shows it. */
export async function showDestination(row: Row): Promise<Destination> {
  const lags = await readLags(row.organizationId, [row]);
  return toDestination(row, lags.get(row.id) ?? null);
}

/** The fields of a destination whose changes are recorded. */
export function recordedDestination(row: Row): RecordedFields {
  return {
    name: row.name,
    type: row.type,
    format: row.format,
    query: row.query,
    paused: row.pausedAt !== null,
    paused_reason: row.pausedReason,
    settings: recordedSettings(row.settings),
    secrets: recordedSecrets(row.secrets, sealContextOf(row)),
  };
}

/** One destination of the organization. Throws 404. */
export async function readDestinationRow(
  organizationId: string,
  id: string,
  tx: Pick<Transaction, "destination"> = db(),
): Promise<Row> {
  const row = await tx.destination.findUnique({ where: { organizationId_id: { organizationId, id } } });
  if (row === null) throw notFound();
  return row;
}

/** Locks the destination, so that changes follow each other and its position in the log does not move meanwhile. Throws 404. */
export async function lockDestination(tx: Transaction, organizationId: string, id: string): Promise<Row> {
  await tx.$queryRaw`SELECT id FROM destinations
    WHERE organization_id = ${organizationId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  return readDestinationRow(organizationId, id, tx);
}

/** Changes a locked destination, and records the change. Throws 404, and what `data` throws. */
export async function changeDestination(
  { organizationId }: Principal,
  id: string,
  data: (
    before: Row,
    now: Date,
    tx: Transaction,
  ) => Prisma.DestinationUpdateInput | Promise<Prisma.DestinationUpdateInput>,
  recorded: (row: Row) => RecordedFields = recordedDestination,
): Promise<Row> {
  return auditedTransaction(async (tx, event) => {
    const before = await lockDestination(tx, organizationId, id);
    const changes = await data(before, new Date(), tx);
    event.resource("destination", id);
    const after = await tx.destination.update({
      where: { organizationId_id: { organizationId, id } },
      data: changes,
    });
    if (recordChanges(event, before.name, recorded(before), recorded(after))) event.flag("destination_changed");
    return after;
  });
}

/** Of a destination that is tried again in another way: what failed before counts neither as failing nor towards the 24 hours. */
export const NOT_FAILING = { failures: 0, failingSince: null } as const;

/** The filters of a destination. Throws if one does not exist any more. */
export function filtersOf(query: unknown): Filters {
  return filters.parse(query);
}

/** Refuses a second destination of the organization with the same target, where the two would overwrite each other. Throws 409. */
export async function refuseSameTarget(
  tx: Transaction,
  { organizationId, id, type, settings }: Pick<Row, "organizationId" | "id" | "type"> & { settings: unknown },
): Promise<void> {
  const targetOf = (of: unknown) => shapeOf(type as DestinationType).exclusiveTarget?.(of) ?? null;
  const target = targetOf(settings);
  if (target === null) return;
  const others = await tx.destination.findMany({
    where: { organizationId, type, id: { not: id } },
    select: { name: true, settings: true },
  });
  const other = others.find((one) => targetOf(one.settings) === target);
  if (other !== undefined) throw new ApiError("CONFLICT", `The destination ${other.name} writes to the same place.`);
}
