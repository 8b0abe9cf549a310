/** What a plan allows. `auditRetentionDays` is also the class that its events are stored in. */
export const plans = {
  free: { auditRetentionDays: 30 },
  team: { auditRetentionDays: 180 },
  business: { auditRetentionDays: 365 },
  enterprise: { auditRetentionDays: 2555 },
} as const;

export type Plan = keyof typeof plans;

/** Days that an organization on `plan` keeps audit events. A plan that is not in the table counts as the smallest. */
export function auditRetentionDays(plan: string): number {
  return plan in plans ? plans[plan as Plan].auditRetentionDays : plans.free.auditRetentionDays;
}
