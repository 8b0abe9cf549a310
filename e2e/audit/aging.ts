import { expect } from "vitest";
import { exportWhenFree, parseNdjson } from "@/e2e/audit/export-files";
import { idAtTime } from "@/e2e/audit/generate";
import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import type { SignedIn } from "@/e2e/support/session";
import { AuditEventDraft, type AuditRow } from "@/lib/audit-logs/audit-event-draft";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { AuditStats } from "@/lib/audit-logs/count/stats-contract";
import { DROP_MARGIN_MS } from "@/lib/audit-logs/retain/drop-margin";
import { newId } from "@/lib/ids";

export const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** An event of a given age, in a retention class. */
export function aged(organizationId: string, retentionDays: number, ageMs: number): AuditRow {
  const id = idAtTime(Date.now() - ageMs, Buffer.from(newId().replaceAll("-", ""), "hex"));
  return new AuditEventDraft({
    ...{ organization_id: organizationId, retention_days: retentionDays, id, method: "POST", path: "/aged" },
    ...{ status_code: 201, response_time_us: 1_000, body_size: 4 },
  }).row;
}

interface View {
  ids: string[];
  /** Covers everything before the day of the first view, so not the requests of the test itself. */
  stats: Partial<AuditStats>;
}

let firstDay: string | undefined;

/** The aged events that an organization sees, through every endpoint that shows events. */
export async function seenBy(server: Sealwatch, who: SignedIn): Promise<View> {
  const list = await who.api.get<AuditEvent[]>("/audit-logs?limit=200&order=asc&path=/aged");
  const ids = list.data.map(({ id }) => id);
  const file = await exportWhenFree(server, who, { format: "ndjson", path: "/aged" });
  expect(parseNdjson(await file.read()).events.map(({ id }) => id)).toEqual(ids);
  const fromRows = (await who.api.get<AuditStats>("/audit-logs/stats?path=/aged&interval=day")).data;
  expect(fromRows.totals.requests).toBe(ids.length);
  firstDay ??= dayOf(Date.now());
  const before = `interval=day&until=${firstDay}T00:00:00Z`;
  const fromCounts = (await who.api.get<AuditStats>(`/audit-logs/stats?${before}`)).data;
  const { since: _, until: __, ...stats } = fromCounts;
  return { ids, stats };
}

/** How many events, bodies, rollups and deltas an organization has in a class. */
export function rowsIn(server: Sealwatch, organizationId: string, retentionDays: number): Promise<number[]> {
  const count = async (table: string) => {
    const text = `SELECT count(*)::integer AS count FROM ${table} WHERE organization_id = $1 AND retention_days = $2`;
    const [row] = await query<{ count: number }>(server, "audit", text, [organizationId, retentionDays]);
    return row?.count ?? Number.NaN;
  };
  return Promise.all(["audit_events", "audit_bodies", "audit_rollups", "audit_deltas"].map(count));
}

/** The names of all days of all tables and classes. */
export async function partitions(server: Sealwatch): Promise<string[]> {
  const text = String.raw`SELECT relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE nspname = 'partitions' AND relkind = 'r' AND relname ~ '_\d{8}$'`;
  return (await query<{ name: string }>(server, "audit", text)).map(({ name }) => name).sort();
}

/** From when such a day is dropped, in Unix milliseconds: its last event has expired for a while. */
export function expiryOf(name: string): number {
  const [, days, year, month, day] = /_(\d+)_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
  return Date.parse(`${year}-${month}-${day}T24:00:00Z`) + Number(days) * 86_400_000 + DROP_MARGIN_MS;
}
