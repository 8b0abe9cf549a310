import { addFilters, Conditions } from "@/lib/audit-logs/conditions";
import type { ActiveHold } from "@/lib/audit-logs/held/active-holds";
import { SELF_REFERRING_ACTIONS } from "@/lib/audit-logs/held/self-referring";
import { token } from "@/lib/audit-logs/tokens";
import { idAt } from "@/lib/ids";

/** SQL: whether a hold covers an event. The organization is not among the conditions. */
export function coveredBy(all: Conditions, { filters, coversSince }: ActiveHold): string {
  const own = new Conditions(all.values);
  own.add(`id >= ${all.value(idAt(Math.max(coversSince, filters.since ?? 0)))}`);
  if (filters.until !== undefined) own.add(`id < ${all.value(idAt(filters.until))}`);
  addFilters(own, filters);
  return `${own}`;
}

/**
 * SQL: whether an event of the organization is kept by any of its holds: covered by it, or one of those without which the sealed log
 * could not prove the covered ones, such as redactions and changes of the plan.
 */
export function heldByAny(all: Conditions, holds: readonly ActiveHold[]): string {
  if (holds.length === 0) return "false";
  const since = all.value(idAt(Math.min(...holds.map(({ coversSince }) => coversSince))));
  const needed = [...SELF_REFERRING_ACTIONS.map((action) => token("action", action)), token("flag", "plan_changed")];
  const proving = `id >= ${since} AND tokens && ${all.value(needed)}::text[]`;
  return [...holds.map((hold) => coveredBy(all, hold)), proving].map((each) => `(${each})`).join(" OR ");
}
