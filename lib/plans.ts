/**
 * The limits of each plan. `emailRecipientsPerDay` is about e-mails of channels by the installation's mail server. `auditRetentionDays`
 * is also the retention class in which its events are stored. Verifiers of the sealed log know it only from changes of plans: if a release lowers it, each organization needs an event that says so.
 */
export const plans = {
  free: {
    auditRetentionDays: 30,
    certificate_endpoints: 100,
    monitors: 50,
    domains: 10,
    members: 10,
    api_keys: 100,
    destinations: 5,
    alert_rules: 20,
    notification_channels: 10,
    emailRecipientsPerDay: 500,
    shortestIntervalSeconds: 60,
  },
  team: {
    auditRetentionDays: 180,
    certificate_endpoints: 1_000,
    monitors: 500,
    domains: 50,
    members: 50,
    api_keys: 500,
    destinations: 10,
    alert_rules: 50,
    notification_channels: 20,
    emailRecipientsPerDay: 2_500,
    shortestIntervalSeconds: 30,
  },
  business: {
    auditRetentionDays: 365,
    certificate_endpoints: 10_000,
    monitors: 5_000,
    domains: 500,
    members: 500,
    api_keys: 2_000,
    destinations: 25,
    alert_rules: 200,
    notification_channels: 100,
    emailRecipientsPerDay: 10_000,
    shortestIntervalSeconds: 30,
  },
  enterprise: {
    auditRetentionDays: 2555,
    certificate_endpoints: 1_000_000,
    monitors: 100_000,
    domains: 5_000,
    members: 10_000,
    api_keys: 100_000,
    destinations: 100,
    alert_rules: 200,
    notification_channels: 100,
    emailRecipientsPerDay: 100_000,
    shortestIntervalSeconds: 30,
  },
} as const;

/** The resources that plans limit. */
export const limited = [
  "certificate_endpoints",
  "monitors",
  "domains",
  "members",
  "api_keys",
  "destinations",
  "alert_rules",
  "notification_channels",
] as const;
export type Limited = (typeof limited)[number];

export type Plan = keyof typeof plans;
export const planNames = Object.keys(plans) as [Plan, ...Plan[]];

/** Whether `plan` is `other` or allows more. */
export function isAtLeast(plan: Plan, other: string): boolean {
  return planNames.indexOf(plan) >= planNames.indexOf(other as Plan);
}

/** The limits of `plan`. An unknown plan has those of the smallest. */
export function allowances(plan: string): (typeof plans)[Plan] {
  return plan in plans ? plans[plan as Plan] : plans.free;
}

/** Certificates that may be added within a year, besides those that endpoints serve: nothing deletes an added one. */
export function addedCertificatesPerYear(plan: string): number {
  return Math.max(1_000, 10 * allowances(plan).certificate_endpoints);
}

/** Certificates that clients may hand in within a year: another one for each endpoint every few days. */
export function obtainedCertificatesPerYear(plan: string): number {
  return 100 * allowances(plan).certificate_endpoints;
}

/** Days for which an organization on `plan` keeps audit events. */
export function auditRetentionDays(plan: string): number {
  return allowances(plan).auditRetentionDays;
}
