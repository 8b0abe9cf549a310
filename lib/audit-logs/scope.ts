import type { Filters } from "@/lib/audit-logs/filters";
import { db } from "@/lib/db/app";
import { idTime } from "@/lib/ids";
import { auditRetentionDays } from "@/lib/plans";

/** The part of its audit log that an organization can see. */
export interface Scope {
  organizationId: string;
  /** Retention classes that may contain its events. */
  classes: number[];
  /** Unix milliseconds; nothing older is ever returned. */
  oldest: number;
  /** Retention of its plan, in days. */
  days: number;
}

const DAY_MS = 86_400_000;

/** The organization's current scope. */
export async function scopeOf(organizationId: string): Promise<Scope> {
  const organization = await db().organization.findUnique({
    where: { id: organizationId },
    select: { plan: true, auditClasses: true },
  });
  const days = auditRetentionDays(organization?.plan ?? "free");
  const classes = [...new Set([days, ...(organization?.auditClasses ?? [])])];
  return { organizationId, classes, days, oldest: Date.now() - days * DAY_MS };
}

/** The half-open time range of the filters within a scope, in Unix milliseconds. */
export function rangeOf(scope: Scope, { since, until, id }: Filters): { from: number; to: number } {
  // An id has its time, so that a search for it opens one partition.
  const times = id?.include.map(idTime) ?? [];
  const [first, last] = times.length > 0 ? [Math.min(...times), Math.max(...times) + 1] : [0, Infinity];
  // The default end includes events of this moment and from processes whose clock is slightly ahead.
  const end = until ?? Date.now() + DAY_MS;
  return { from: Math.max(scope.oldest, since ?? 0, first), to: Math.min(end, last) };
}
