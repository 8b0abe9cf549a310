import { auditedBulk } from "@/lib/audit-logs/write/audited-bulk";
import { ChangeList, recordBulkChanges } from "@/lib/audit-logs/write/changes";
import { requireInterval, requireRoom } from "@/lib/billing/plan-limits";
import { lockTrustStores, UNKNOWN_TRUST_STORE } from "@/lib/certificates/trust-stores/require-trust-store";
import type { Transaction } from "@/lib/db/app";
import type { UptimeMonitor as Row } from "@/lib/db/generated/app/client";
import { insertRows } from "@/lib/db/insert-rows";
import { lockRows } from "@/lib/db/lock-rows";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Issue } from "@/lib/http/errors";
import { describeIssues, issuesOf, MAX_ISSUES_OF_ITEM } from "@/lib/http/input";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { mapInTurns, readInParts } from "@/lib/turns";
import { type MonitorInput, type MonitorItem, monitorInput, monitorItem } from "@/lib/uptime/fields";
import type * as contract from "@/lib/uptime/monitors/bulk-contract";
import type { BulkResult } from "@/lib/uptime/monitors/bulk-contract";
import { changeMonitor, inputOf } from "@/lib/uptime/monitors/change-monitor";
import { lacksPing, NO_PING, newMonitor } from "@/lib/uptime/monitors/create-monitor";
import { mergeInput } from "@/lib/uptime/monitors/merge-input";
import { recordedMonitor } from "@/lib/uptime/monitors/monitor";

/**
 * Creates monitors and changes existing ones by name; these keep the fields that are not given. An invalid item fails alone, with its
 * reason. If the plan does not allow all new monitors, or an interval that becomes shorter, the whole request is rejected before any
 * change. Throws 400, 402, 403.
 */
export async function bulkUpsertMonitors(
  principal: Principal,
  { items: given, dry_run }: Input<typeof contract.bulkUpsertMonitors>,
): Promise<Output<typeof contract.bulkUpsertMonitors>> {
  requireAdmin(principal);
  const read = await readItems(given);
  return auditedBulk(dry_run, async (tx, event) => {
    const changes = new ChangeList();
    const items = await withTrust(tx, principal.organizationId, read);
    const results = await upsert(tx, principal.organizationId, items, changes);
    event.resource("monitor", null);
    recordBulkChanges(event, changes);
    return results;
  });
}

/** An item, or why it is invalid. */
type ReadItem<Item> = Item | string;

const reasonOf = (issues: Issue[]) => describeIssues(issues, MAX_ISSUES_OF_ITEM);

function readItems(items: readonly unknown[]): Promise<ReadItem<MonitorItem>[]> {
  const names = new Set<string>();
  return mapInTurns(items, (item) => {
    const parsed = monitorItem.safeParse(item);
    if (!parsed.success) return reasonOf(issuesOf(parsed.error));
    if (names.has(parsed.data.name)) return "name: occurs twice in this request";
    names.add(parsed.data.name);
    return parsed.data;
  });
}

/** Rejects items with unknown trust stores. */
async function withTrust(tx: Transaction, organizationId: string, items: readonly ReadItem<MonitorItem>[]) {
  const named = items.flatMap((item) => (typeof item === "string" ? [] : (item.trust_store_id ?? [])));
  const known = new Set<string | null | undefined>([
    null,
    undefined,
    ...(await lockTrustStores(tx, organizationId, named)),
  ]);
  return items.map((item) =>
    typeof item === "string" || known.has(item.trust_store_id) ? item : `trust_store_id: ${UNKNOWN_TRUST_STORE}`,
  );
}

/** The complete input of an item, with the monitor that it changes; null for a new one. */
interface Upsert {
  before: Row | null;
  input: MonitorInput;
}

function completed(item: MonitorItem, before: Row | null): ReadItem<Upsert> {
  if (before === null) {
    const parsed = monitorInput.safeParse(item);
    if (!parsed.success) return reasonOf(issuesOf(parsed.error));
    return lacksPing(parsed.data) ? `type: ${NO_PING}` : { before, input: parsed.data };
  }
  if (item.type !== undefined && item.type !== before.type)
    return `type: the monitor with this name has the type ${before.type}`;
  const merged = mergeInput(before, item);
  return "issues" in merged ? reasonOf(merged.issues) : { before, input: merged.input };
}

async function upsert(
  tx: Transaction,
  organizationId: string,
  all: readonly ReadItem<MonitorItem>[],
  changes: ChangeList,
): Promise<BulkResult[]> {
  const wanted = all.flatMap((item) => (typeof item === "string" ? [] : [item]));
  const read = (part: readonly MonitorItem[]) =>
    tx.uptimeMonitor.findMany({ where: { organizationId, name: { in: part.map(({ name }) => name) } } });
  const found = await readInParts(wanted, read);
  await lockRows(
    tx,
    "uptime_monitors",
    organizationId,
    found.map(({ id }) => id),
  );
  const existing = found.length === 0 ? [] : await readInParts(wanted, read);
  const byName = new Map(existing.map((row) => [row.name, row]));
  const items = await mapInTurns(all, (item) =>
    typeof item === "string" ? item : completed(item, byName.get(item.name) ?? null),
  );
  const valid = items.flatMap((item) => (typeof item === "string" ? [] : [item]));
  const fresh = valid.filter(({ before }) => before === null);
  if (fresh.length > 0) await requireRoom(tx, organizationId, "monitors", fresh.length);
  const shortened = valid.filter(({ before, input }) => input.interval_seconds < (before?.intervalSeconds ?? Infinity));
  const shortest = Math.min(...shortened.map(({ input }) => input.interval_seconds));
  if (shortened.length > 0) await requireInterval(tx, organizationId, shortest);

  const now = new Date();
  const rows = new Map(fresh.map(({ input }) => [input.name, newMonitor(organizationId, input, now)]));
  await insertRows(tx, "uptime_monitors", [...rows.values()]);
  changes.created = rows.size;
  return mapInTurns(items, async (item, index): Promise<BulkResult> => {
    if (typeof item === "string") return { index, status: "failed", id: null, error: item };
    const { before, input } = item;
    if (before === null) return { index, status: "created", id: rows.get(input.name)?.id ?? null, error: null };
    const changed = await changeMonitor(tx, before, input, false);
    if (changed !== null) changes.update(before, recordedMonitor(inputOf(before)), recordedMonitor(input));
    return { index, status: changed === null ? "unchanged" : "updated", id: before.id, error: null };
  });
}
