import { normalized } from "@/lib/alert-selectors/selector";
import {
  type Condition,
  isAboutEvents,
  type QuietHours,
  type Selector,
  type Step,
} from "@/lib/alerts/rules/conditions";
import type { AlertRule, AlertRuleInput } from "@/lib/alerts/rules/contract";
import type { RecordedFields } from "@/lib/audit-logs/write/changes";
import { db, type Transaction } from "@/lib/db/app";
import { Prisma, type AlertRule as Row } from "@/lib/db/generated/app/client";
import { ApiError, invalid, notFound } from "@/lib/http/errors";

/** The error for a second one with the same name. */
export const SAME_NAME = "An alert rule with this name already exists.";

/** A rule with the fields that the evaluation of alerts needs. */
export interface EvaluatedRule {
  enabled: boolean;
  steps: readonly Step[];
  /** Facts are events rather than states, so an alert must be sent before it may resolve. */
  isOfEvents: boolean;
  resolveAfterMinutes: number;
  repeatMinutes: number | null;
  sendResolved: boolean;
  quietHours: QuietHours | null;
}

/** A rule with all fields that its evaluation needs. */
export interface Rule extends EvaluatedRule {
  id: string;
  name: string;
  selector: Selector;
  condition: Condition;
}

/** A rule's row for its evaluation. */
export function toRule(row: Row): Rule {
  const condition = row.condition as Condition;
  return {
    id: row.id,
    name: row.name,
    enabled: row.enabled,
    selector: normalized(row.selector as Selector, condition.type),
    condition,
    steps: row.steps as Step[],
    isOfEvents: isAboutEvents(condition.type),
    repeatMinutes: row.repeatMinutes,
    resolveAfterMinutes: row.resolveAfterMinutes,
    sendResolved: row.sendResolved,
    quietHours: row.quietHours as QuietHours | null,
  };
}

/** A rule as the contract shows it. */
export function toAlertRule(row: Row, openAlerts: number): AlertRule {
  return {
    id: row.id,
    name: row.name,
    enabled: row.enabled,
    selector: row.selector as Selector,
    condition: row.condition as Condition,
    steps: row.steps as Step[],
    repeat_minutes: row.repeatMinutes,
    resolve_after_minutes: row.resolveAfterMinutes,
    send_resolved: row.sendResolved,
    quiet_hours: row.quietHours as QuietHours | null,
    open_alerts: openAlerts,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** The fields of a rule whose changes are recorded, with the names of its channels. */
export async function recordedRule(tx: Transaction, { organizationId, ...row }: Row): Promise<RecordedFields> {
  const { id: _, open_alerts, created_at, updated_at, steps, ...fields } = toAlertRule({ organizationId, ...row }, 0);
  const ids = steps.flatMap(({ channel_ids }) => channel_ids);
  const channels = await tx.notificationChannel.findMany({
    where: { organizationId, id: { in: ids } },
    select: { id: true, name: true },
  });
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  const named = steps.map(({ channel_ids, ...step }) => ({
    ...step,
    channels: channel_ids.map((id) => names.get(id) ?? id),
  }));
  return { ...fields, steps: named };
}

/** The columns set by the input. */
export function ruleColumns(input: AlertRuleInput) {
  return {
    name: input.name,
    enabled: input.enabled,
    selector: input.selector,
    condition: input.condition,
    steps: input.steps,
    repeatMinutes: input.repeat_minutes,
    resolveAfterMinutes: input.resolve_after_minutes,
    sendResolved: input.send_resolved,
    quietHours: input.quiet_hours ?? Prisma.DbNull,
  };
}

/** The number of unresolved alerts of each rule. */
export async function countOpen(organizationId: string, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db().alert.groupBy({
    by: ["ruleId"],
    where: { organizationId, ruleId: { in: [...ids] }, resolvedAt: null },
    _count: true,
  });
  return new Map(rows.map(({ ruleId, _count }) => [ruleId, _count]));
}

/** One rule of the organization. Throws 404. */
export async function readAlertRule(organizationId: string, id: string): Promise<AlertRule> {
  const row = await readRuleRow(db(), organizationId, id);
  return toAlertRule(row, (await countOpen(organizationId, [id])).get(id) ?? 0);
}

/** One rule's row. Throws 404. */
export async function readRuleRow(
  tx: Pick<Transaction, "alertRule">,
  organizationId: string,
  id: string,
): Promise<Row> {
  const row = await tx.alertRule.findUnique({ where: { organizationId_id: { organizationId, id } } });
  if (row === null) throw notFound();
  return row;
}

/** Locks the channels until the transaction ends. Throws 400 if the organization does not have them. */
export async function assertChannels(tx: Transaction, organizationId: string, steps: readonly Step[]): Promise<void> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM notification_channels WHERE organization_id = ${organizationId}::uuid
      AND id = ANY(${steps.flatMap(({ channel_ids }) => channel_ids)}::uuid[]) FOR SHARE`;
  const known = new Set(rows.map(({ id }) => id));
  for (const [at, { channel_ids }] of steps.entries()) {
    const unknown = channel_ids.findIndex((id) => !known.has(id));
    if (unknown !== -1) throw invalid(`steps.${at}.channel_ids.${unknown}`, "is not a channel of this organization");
  }
}

/** Maximum number of an organization's rules about the number of events: each is a query of the audit log in every evaluation. */
const MAX_COUNTING_RULES = 50;

/** Locks the organization for a rule that may count events, until the transaction ends: concurrent additions wait. */
export async function lockCountingRules(
  tx: Transaction,
  organizationId: string,
  condition: Condition | undefined,
): Promise<void> {
  if (condition?.type !== "event_count") return;
  await tx.$queryRaw`SELECT id FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
}

/** Call it before a rule begins to count events, with the lock. Throws 409 if the organization has the most such rules. */
export async function assertCountingRules(tx: Transaction, organizationId: string, { type }: Condition): Promise<void> {
  if (type !== "event_count") return;
  const where = { organizationId, condition: { path: ["type"], equals: type } };
  if ((await tx.alertRule.count({ where })) < MAX_COUNTING_RULES) return;
  throw new ApiError("CONFLICT", `An organization can have ${MAX_COUNTING_RULES} rules with this condition.`);
}
