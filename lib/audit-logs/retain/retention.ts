import { type HoldingOrganization, readHoldingOrganizations } from "@/lib/audit-logs/held/active-holds";
import { HELD_CLASS } from "@/lib/audit-logs/partitions/held-class";
import { type ClassDay, dropDays, isEmptyDay, tablesOf } from "@/lib/audit-logs/retain/drop-days";
import { DROP_MARGIN_MS } from "@/lib/audit-logs/retain/drop-margin";
import { keepHeld } from "@/lib/audit-logs/retain/keep-held";
import { listDays } from "@/lib/audit-logs/retain/list-days";
import { moveClasses } from "@/lib/audit-logs/retain/move-classes";
import { auditPool } from "@/lib/db/audit";
import { earlierClock } from "@/lib/db/clocks";
import { groupBy } from "@/lib/group-by";
import { idTime } from "@/lib/ids";
import { log } from "@/lib/log";
import { DAY_MS } from "@/lib/time/units";

/** Days that are dropped in one transaction. More take less time altogether, but readers of their class wait longer. */
const DAY_BATCH_SIZE = 4;

/**
 * Drops every day of every class that has completely expired at `now` (Unix milliseconds), without what is on hold, and days of the class
 * of held events that have none. Dropping a table takes the same time for ten events as for ten million. Drops nothing while the holds
 * cannot be read. Returns the names of the dropped partitions.
 */
export async function dropExpired(now = Date.now(), signal?: AbortSignal): Promise<string[]> {
  return dropOver(await listDays(), await readHoldingOrganizations(), now, () => signal?.aborted === true);
}

async function dropOver(
  days: readonly ClassDay[],
  holding: readonly HoldingOrganization[],
  now: number,
  stop: () => boolean,
): Promise<string[]> {
  // Events are sealed before they are dropped.
  const unsealed = await oldestUnsealed();
  const over: ClassDay[] = [];
  for (const each of days) {
    const end = each.day + DAY_MS;
    if (end > unsealed) continue;
    // Nothing in the class of held events expires by its day; its days go when nothing is left in them.
    const isOver = each.from === HELD_CLASS ? await isEmptyDay(each) : end <= now - each.from * DAY_MS - DROP_MARGIN_MS;
    if (isOver) over.push(each);
  }
  const dropped: string[] = [];
  for (const all of groupBy(over, ({ from }) => from).values()) {
    const turns: ClassDay[][] = [];
    for (let at = 0; at < all.length; at += DAY_BATCH_SIZE) turns.push(all.slice(at, at + DAY_BATCH_SIZE));
    // In the order of the days, until one is in use.
    for (let turn = turns.shift(); turn !== undefined && !stop(); turn = turns.shift()) {
      const outcome = await dropDays(turn, holding, stop);
      if (outcome === "dropped") dropped.push(...turn.flatMap(tablesOf));
      else if (turn.length > 1) turns.unshift(...turn.map((day) => [day]));
      else if (outcome === "busy") break;
    }
  }
  return dropped;
}

/** The day of the oldest event that is not sealed yet (start, Unix milliseconds). */
async function oldestUnsealed(): Promise<number> {
  const { rows } = await auditPool().query<{ id: string | null }>(
    `SELECT least(
       (SELECT min(event_id::text) FROM audit_seal_queue CROSS JOIN unnest(ids) AS queued (event_id)),
       (SELECT min(import_after::text) FROM audit_seal_logs WHERE import_after IS NOT NULL)
     ) AS id`,
  );
  const id = rows[0]?.id ?? null;
  if (id === null) return Number.POSITIVE_INFINITY;
  return idTime(id) - (idTime(id) % DAY_MS);
}

/**
 * Worker job: moves what is on hold out of the days that expire, moves classes, then drops expired partitions and logs their names.
 * The time is the earlier of two clocks: one that has jumped ahead must not delete what has not expired.
 */
export async function enforceRetention(signal: AbortSignal): Promise<void> {
  const now = await earlierClock(auditPool());
  const [days, holding] = [await listDays(), await readHoldingOrganizations()];
  await keepHeld(holding, byClass(days), now, signal);
  // Before days are dropped: a larger plan may keep events that the former class would delete.
  await moveClasses(signal, now);
  const dropped = await dropOver(days, holding, now, () => signal.aborted);
  if (dropped.length > 0) log.info({ partitions: dropped }, "dropped expired audit partitions");
}

function byClass(days: readonly ClassDay[]): Map<number, number[]> {
  const starts = new Map<number, number[]>();
  for (const { from, day } of days) starts.set(from, [...(starts.get(from) ?? []), day]);
  return starts;
}
