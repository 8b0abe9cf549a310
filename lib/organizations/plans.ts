/** What a plan allows. `auditRetentionDays` is also the class that its events are stored in. */
export const plans = {
  free: { auditRetentionDays: 30, monitors: 50, shortestIntervalSeconds: 60 },
  team: { auditRetentionDays: 180, monitors: 500, shortestIntervalSeconds: 30 },
  business: { auditRetentionDays: 365, monitors: 5_000, shortestIntervalSeconds: 30 },
  enterprise: { auditRetentionDays: 2555, monitors: 100_000, shortestIntervalSeconds: 30 },
} as const;

export type Plan = keyof typeof plans;

/** What `plan` allows. A plan that is not in the table counts as the smallest. */
export function allowances(plan: string): (typeof plans)[Plan] {
  return plan in plans ? plans[plan as Plan] : plans.free;
}

/** Days that an organization on `plan` keeps audit events. */
export function auditRetentionDays(plan: string): number {
  return allowances(plan).auditRetentionDays;
}
