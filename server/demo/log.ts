import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import type { Entry } from "@/lib/audit-logs/write/append";
import { writer } from "@/lib/audit-logs/write/writer";
import { db } from "@/lib/db/app";
import { groupBy } from "@/lib/group-by";
import { idTime } from "@/lib/ids";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";
import { evaluateEvents, isAlerting } from "@/server/demo/alerts";
import type { Step } from "@/server/demo/story";

const BATCH = 500;
/** Hours after a flagged event in which its alert can still end. One is spare: two evaluations may be some ms less than an hour apart. */
const CALM_HOURS = 4;

/** Stores the entries day by day, and hour by hour while there are some that alerts are about, and evaluates the rules about them. */
export function hours(entries: readonly Entry[], organizationId: string, now: number): Step[] {
  const byHour = groupBy(entries, ({ row }) => Math.floor(idTime(row.id) / HOUR_MS));
  const first = Math.min(...byHour.keys());
  const steps: Step[] = [];
  let waiting: Entry[] = [];
  let calm = CALM_HOURS;
  for (let hour = first; hour * HOUR_MS < now; hour++) {
    const mine = byHour.get(hour) ?? [];
    waiting.push(...mine);
    calm = mine.some(({ row }) => isAlerting(row)) ? 0 : calm + 1;
    const isEvaluated = calm < CALM_HOURS;
    const end = (hour + 1) * HOUR_MS;
    if (!isEvaluated && end % DAY_MS !== 0 && end < now) continue;
    const stored = waiting;
    waiting = [];
    const run = async () => {
      await write(stored);
      const rows = stored.map(({ row }) => row);
      if (isEvaluated) await evaluateEvents(organizationId, rows);
    };
    steps.push({ at: Math.min(end, now), run });
  }
  return steps;
}

/** Stores events through the writer that requests use. */
async function write(entries: readonly Entry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += BATCH) {
    await Promise.all(entries.slice(from, from + BATCH).map((entry) => writer().write(entry)));
  }
}

/** Derives from all events, in order, when keys were last used. */
export async function touchKeys(entries: readonly Entry[]): Promise<void> {
  for (const { row, at } of lastOf(entries, ({ status_code }) => (status_code ?? 500) < 400)) {
    await db().apiKey.updateMany({ where: keyOf(row), data: { lastUsedAt: at, lastUsedIp: row.ip_address } });
  }
  for (const { row, at } of lastOf(entries, ({ flags }) => flags.includes("rotated_secret"))) {
    await db().apiKey.updateMany({ where: keyOf(row), data: { rotatedSecretUsedAt: at } });
  }
}

const keyOf = (row: AuditRow) => ({ organizationId: row.organization_id, id: row.api_key_id ?? "" });

/** The last event of each key for which `fits` holds; `entries` are in chronological order. */
function lastOf(entries: readonly Entry[], fits: (row: AuditRow) => boolean): { row: AuditRow; at: Date }[] {
  const fitting = entries.filter(({ row }) => row.api_key_id !== null && fits(row));
  const last = new Map(fitting.map(({ row }) => [row.api_key_id, row]));
  return [...last.values()].map((row) => ({ row, at: new Date(idTime(row.id)) }));
}
