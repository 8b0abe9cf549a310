import { addFilters, Conditions } from "@/lib/audit-logs/conditions";
import type { Filters } from "@/lib/audit-logs/filters";
import { heldByAny } from "@/lib/audit-logs/held/held-by";
import { HELD_CLASS } from "@/lib/audit-logs/partitions/held-class";
import { type Scope, startOf } from "@/lib/audit-logs/scope/scope";
import { idAt } from "@/lib/ids";

/** Conditions that limit events to the organization's scope, with values numbered in `all`. */
export function kept(all: Conditions, scope: Scope): string[] {
  return inClasses(all, scope, scope.heldSince === null ? [] : [unexpired(all, scope)]);
}

/** The same without the time, which counts do not have: callers choose it. */
export function inClasses(all: Conditions, { organizationId, classes }: Scope, others: string[] = []): string[] {
  const [only, ...more] = classes;
  // With one class, the usual case, the primary key returns the events in order; with several, PostgreSQL sorts a whole window.
  const own = `organization_id = ${all.value(organizationId)}`;
  const within =
    more.length === 0
      ? `retention_days = ${all.value(only)}::smallint`
      : `retention_days = ANY(${all.value(classes)}::smallint[])`;
  return [own, within, ...others];
}

/** The only translation of filters to SQL, within the organization's scope. Callers add bounds for time. */
export function where(scope: Scope, filters: Filters): Conditions {
  const all = new Conditions();
  for (const condition of kept(all, scope)) all.add(condition);
  addFilters(all, filters);
  return all;
}

/** Conditions for the event with an id, unless it has expired. */
export function whereId(scope: Scope, id: string): Conditions {
  const all = new Conditions();
  for (const condition of inClasses(all, scope, [unexpired(all, scope)])) all.add(condition);
  all.add(`id = ${all.value(id)}`);
  return all;
}

/**
 * SQL from `FROM`: the body of the event `e` that `whereId` finds. The id is a value of its own, because with one that comes from a row
 * the database would plan to read every day of bodies.
 */
export function bodyOf(own: Conditions, id: string): string {
  return `FROM audit_bodies b
    WHERE b.organization_id = e.organization_id AND b.retention_days = e.retention_days AND b.id = ${own.value(id)}`;
}

/** SQL: whether an event has not expired, or is on hold. The organization is not among the conditions. */
export function unexpired(all: Conditions, scope: Pick<Scope, "oldest" | "heldSince" | "holds">): string {
  const [oldest, start] = [all.value(idAt(scope.oldest)), all.value(idAt(startOf(scope)))];
  return `(id >= ${oldest} OR id >= ${start} AND (${onHold(all, scope)}))`;
}

/** SQL: whether an event is on hold, of those that the organization's plan does not keep. */
export function onHold(all: Conditions, { holds }: Pick<Scope, "holds">): string {
  const isMoved = `retention_days = ${HELD_CLASS}`;
  return holds.length === 0 ? isMoved : `${isMoved} OR ${heldByAny(all, holds)}`;
}
