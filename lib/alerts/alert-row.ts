import type { AlertState, Entry, EntryKind } from "@/lib/alerts/alert-state";
import type * as contract from "@/lib/alerts/contract";
import { storableJson } from "@/lib/audit-logs/storable";
import { db, queryIn, type Transaction } from "@/lib/db/app";
import type { AlertEntry, Alert as Row } from "@/lib/db/generated/app/client";
import { notFound } from "@/lib/http/errors";
import { idTime, newId } from "@/lib/ids";

const MAX_ENTRIES = 500;
/** A problem of many resources adds as many entries, whose JSON would be large. */
const INSERT_BATCH_SIZE = 5_000;

interface EntryRow {
  alert_id: string;
  id: string;
  kind: EntryKind;
  actor: string | null;
  details: Entry["details"];
}

/** The fields that only the evaluation needs. */
type Memory = Pick<
  AlertState,
  "isReachability" | "isMuted" | "told" | "notifiedAt" | "trackedBy" | "flips" | "isFlapping" | "reopenedAt"
>;

const date = (time: number | null) => (time === null ? null : new Date(time));

/** An alert's state for the evaluation. */
export function toState(row: Row): AlertState {
  return {
    id: row.id,
    subject: { type: row.subjectType as AlertState["subject"]["type"], id: row.subjectId, name: row.subjectName },
    certificateId: row.certificateId,
    step: row.step,
    severity: row.severity as AlertState["severity"],
    causes: row.causes,
    detail: row.detail,
    openedAt: row.openedAt.getTime(),
    absentSince: row.absentSince?.getTime() ?? null,
    acknowledgedAt: row.acknowledgedAt?.getTime() ?? null,
    acknowledgedBy: row.acknowledgedBy,
    snoozedUntil: row.snoozedUntil?.getTime() ?? null,
    resolvedAt: row.resolvedAt?.getTime() ?? null,
    resolvedBy: row.resolvedBy as AlertState["resolvedBy"],
    ...(row.memory as unknown as Memory),
  };
}

/** The columns of a state. */
export function columnsOf(state: AlertState) {
  const { isReachability, isMuted, told, notifiedAt, trackedBy, flips, isFlapping, reopenedAt } = state;
  const memory = {
    isReachability,
    isMuted,
    told,
    notifiedAt,
    trackedBy,
    flips,
    isFlapping,
    reopenedAt,
  } satisfies Memory;
  return {
    subjectType: state.subject.type,
    subjectId: state.subject.id,
    subjectName: state.subject.name,
    certificateId: state.certificateId,
    step: state.step,
    severity: state.severity,
    causes: [...state.causes],
    detail: state.detail,
    openedAt: new Date(state.openedAt),
    absentSince: date(state.absentSince),
    acknowledgedAt: date(state.acknowledgedAt),
    acknowledgedBy: state.acknowledgedBy,
    snoozedUntil: date(state.snoozedUntil),
    resolvedAt: date(state.resolvedAt),
    resolvedBy: state.resolvedBy,
    memory: JSON.parse(JSON.stringify(memory)) as object,
    live: state.resolvedAt === null || isMuted || told !== null || state.snoozedUntil !== null,
  };
}

/** Rows for an alert's timeline, in the given order. */
export function entryRows(alertId: string, entries: readonly Entry[], actor: string | null = null): EntryRow[] {
  // Ids ascend, so that the order is kept.
  return entries.map(({ kind, details }) => ({ alert_id: alertId, id: newId(), kind, actor, details }));
}

/** Adds rows to the timelines of an organization's alerts. */
export async function insertEntries(tx: Transaction, organizationId: string, rows: readonly EntryRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += INSERT_BATCH_SIZE) {
    await queryIn(tx, {
      text: `INSERT INTO alert_entries (organization_id, alert_id, id, kind, actor, details)
  SELECT $1::uuid, new.* FROM jsonb_to_recordset($2::jsonb) AS new (alert_id uuid, id uuid, kind text, actor text, details jsonb)`,
      values: [organizationId, storableJson(rows.slice(from, from + INSERT_BATCH_SIZE))],
    });
  }
}

/** An alert's status now. */
export function statusOf({ resolvedAt, snoozedUntil, acknowledgedAt }: Row): contract.AlertStatus {
  if (resolvedAt !== null) return "resolved";
  if (snoozedUntil !== null && snoozedUntil.getTime() > Date.now()) return "snoozed";
  return acknowledgedAt === null ? "open" : "acknowledged";
}

/** Null if nothing was sent, no channel was enabled, or the resolution was sent. */
function lastNotifiedAt({ told, notifiedAt }: AlertState): Date | null {
  return told === null ? null : date(notifiedAt === undefined ? told.at : notifiedAt);
}

/** An alert as the contract shows it. */
export function toAlert(row: Row): contract.Alert {
  const state = toState(row);
  return {
    id: row.id,
    rule: { id: row.ruleId, name: row.ruleName },
    subject: state.subject,
    certificate_id: row.certificateId,
    status: statusOf(row),
    severity: state.severity,
    step: row.step + 1,
    causes: row.causes,
    detail: row.detail,
    flapping: state.isFlapping,
    opened_at: row.openedAt.toISOString(),
    cause_gone_at: row.absentSince?.toISOString() ?? null,
    acknowledged_at: row.acknowledgedAt?.toISOString() ?? null,
    acknowledged_by: row.acknowledgedBy,
    snoozed_until: statusOf(row) === "snoozed" ? (row.snoozedUntil?.toISOString() ?? null) : null,
    resolved_at: row.resolvedAt?.toISOString() ?? null,
    resolved_by: state.resolvedBy,
    last_told_at: lastNotifiedAt(state)?.toISOString() ?? null,
  };
}

function toEntry({ id, kind, actor, details }: AlertEntry): contract.AlertDetail["timeline"][number] {
  const at = new Date(idTime(id)).toISOString();
  return { id, at, kind: kind as EntryKind, actor, details: details as Record<string, unknown> };
}

/** One alert with its timeline. Throws 404. */
export async function readAlert(organizationId: string, id: string): Promise<contract.AlertDetail> {
  const row = await db().alert.findUnique({
    where: { organizationId_id: { organizationId, id } },
    include: { entries: { orderBy: { id: "desc" }, take: MAX_ENTRIES } },
  });
  if (row === null) throw notFound();
  return { ...toAlert(row), timeline: row.entries.reverse().map(toEntry) };
}

/** Locks an alert until the transaction ends, so that people and the evaluation change it one after the other. Throws 404. */
export async function lockAlert(tx: Transaction, organizationId: string, id: string): Promise<Row> {
  await tx.$queryRaw`SELECT id FROM alerts WHERE organization_id = ${organizationId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  const row = await tx.alert.findUnique({ where: { organizationId_id: { organizationId, id } } });
  if (row === null) throw notFound();
  return row;
}

/** Records a person's action on an alert, with its timeline entry. */
export async function writeAct(
  tx: Transaction,
  row: Row,
  state: AlertState,
  entry: Entry & { actor: string },
): Promise<void> {
  const { organizationId, id } = row;
  await tx.alert.update({ where: { organizationId_id: { organizationId, id } }, data: columnsOf(state) });
  await insertEntries(tx, organizationId, entryRows(id, [entry], entry.actor));
}
