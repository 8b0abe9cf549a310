import type { Filters } from "@/lib/audit-logs/filters";
import { db } from "@/lib/db/app";
import { auditRetentionDays } from "@/lib/plans";

/** What an organization can see of its audit log. */
export interface Scope {
  organizationId: string;
  /** Retention classes that may hold its events. */
  classes: number[];
  /** Unix milliseconds; nothing older is ever returned. */
  oldest: number;
  /** Days its plan keeps events. */
  days: number;
}

const DAY_MS = 86_400_000;

/** The scope as of now. */
export async function scopeOf(organizationId: string): Promise<Scope> {
  const organization = await db().organization.findUnique({
    where: { id: organizationId },
    select: { plan: true, auditClasses: true },
  });
  const days = auditRetentionDays(organization?.plan ?? "free");
  const classes = [...new Set([days, ...(organization?.auditClasses ?? [])])];
  return { organizationId, classes, days, oldest: Date.now() - days * DAY_MS };
}

/** The half-open range of times, in Unix milliseconds, that filters ask for within a scope. */
export function rangeOf(scope: Scope, { since, until }: Filters): { from: number; to: number } {
  // An event of this very moment, or from a process whose clock is a little ahead, is not beyond the end.
  return { from: Math.max(scope.oldest, since ?? 0), to: until ?? Date.now() + DAY_MS };
}
