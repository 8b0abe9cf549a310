import { auditedBulk } from "@/lib/audit-logs/write/audited-bulk";
import { ChangeList, recordBulkChanges } from "@/lib/audit-logs/write/changes";
import { requireInterval, requireRoom } from "@/lib/billing/plan-limits";
import { lockTrustStores, UNKNOWN_TRUST_STORE } from "@/lib/certificates/trust-stores/require-trust-store";
import type { Transaction } from "@/lib/db/app";
import type { UptimeMonitor as Row } from "@/lib/db/generated/app/client";
import { insertRows } from "@/lib/db/insert-rows";
import { lockRows } from "@/lib/db/lock-rows";
import type { Input, Output } from "@/lib/http/endpoint";
import { describeIssues, issuesOf, MAX_ISSUES_OF_ITEM } from "@/lib/http/input";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { mapInTurns, readInParts } from "@/lib/turns";
import { type MonitorInput, monitorInput } from "@/lib/uptime/fields";
import type * as contract from "@/lib/uptime/monitors/bulk-contract";
import type { BulkResult } from "@/lib/uptime/monitors/bulk-contract";
import { changeMonitor, inputOf } from "@/lib/uptime/monitors/change-monitor";
import { lacksPing, NO_PING, newMonitor } from "@/lib/uptime/monitors/create-monitor";
import { recordedMonitor } from "@/lib/uptime/monitors/monitor";

/**
 * Creates and changes monitors by name. An invalid item fails alone, with its reason. If the plan has no room for all new
 * monitors, the whole request is rejected before any change. Throws 400, 402, 403.
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

interface ReadItem {
  index: number;
  /** The parsed input, or why it is invalid. */
  input: MonitorInput | string;
}

function readItems(items: readonly unknown[]): Promise<ReadItem[]> {
  const names = new Set<string>();
  return mapInTurns(items, (item, index) => {
    const parsed = monitorInput.safeParse(item);
    if (!parsed.success) {
      return { index, input: describeIssues(issuesOf(parsed.error), MAX_ISSUES_OF_ITEM) };
    }
    if (lacksPing(parsed.data)) return { index, input: `type: ${NO_PING}` };
    if (names.has(parsed.data.name)) return { index, input: "name: occurs twice in this request" };
    names.add(parsed.data.name);
    return { index, input: parsed.data };
  });
}

/** Rejects items with unknown trust stores. */
async function withTrust(tx: Transaction, organizationId: string, items: readonly ReadItem[]): Promise<ReadItem[]> {
  const named = items.flatMap(({ input }) => (typeof input === "string" ? [] : (input.trust_store_id ?? [])));
  const known = new Set<string | null>([null, ...(await lockTrustStores(tx, organizationId, named))]);
  return items.map((item) => {
    if (typeof item.input === "string" || known.has(item.input.trust_store_id)) return item;
    return { index: item.index, input: `trust_store_id: ${UNKNOWN_TRUST_STORE}` };
  });
}

async function upsert(
  tx: Transaction,
  organizationId: string,
  items: readonly ReadItem[],
  changes: ChangeList,
): Promise<BulkResult[]> {
  const wanted = items.flatMap(({ input }) => (typeof input === "string" ? [] : [input]));
  const read = (part: readonly MonitorInput[]) =>
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
  const fresh = wanted.filter(({ name }) => !byName.has(name));
  if (fresh.length > 0) await requireRoom(tx, organizationId, "monitors", fresh.length);
  const shortest = Math.min(...wanted.map(({ interval_seconds }) => interval_seconds));
  if (wanted.length > 0) await requireInterval(tx, organizationId, shortest);

  const now = new Date();
  const rows = new Map(fresh.map((input) => [input.name, newMonitor(organizationId, input, now)]));
  await insertRows(tx, "uptime_monitors", [...rows.values()]);
  changes.created = rows.size;
  return mapInTurns(items, async ({ index, input }): Promise<BulkResult> => {
    if (typeof input === "string") return { index, status: "failed", id: null, error: input };
    const made = rows.get(input.name);
    if (made !== undefined) return { index, status: "created", id: made.id, error: null };
    return { index, ...(await changeOne(tx, byName.get(input.name) as Row, input, changes)) };
  });
}

async function changeOne(
  tx: Transaction,
  before: Row,
  input: MonitorInput,
  changes: ChangeList,
): Promise<Omit<BulkResult, "index">> {
  if (before.type !== input.type) {
    return { status: "failed", id: null, error: `type: the monitor with this name has the type ${before.type}` };
  }
  const was = inputOf(before);
  const changed = await changeMonitor(tx, before, { ...was, ...input }, false);
  if (changed !== null) changes.update(before, recordedMonitor(was), recordedMonitor({ ...was, ...input }));
  return { status: changed === null ? "unchanged" : "updated", id: before.id, error: null };
}
