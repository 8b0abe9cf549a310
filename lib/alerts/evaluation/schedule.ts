/**
 * Seconds between two evaluations of an organization: with alerts, with monitored resources, and otherwise. Changes also wake the
 * rules (wake.ts), so these intervals are for conditions that depend on time, and for missed wake-ups.
 */
export const pauses = { alerted: 15, watching: 60, idle: 600 };

/** Seconds that a process has for an evaluation, before another process repeats it. A failed evaluation is retried after them. */
export const LEASE_SECONDS = 90;

/** Whether the organization of the evaluation `e` has alerts that have not ended, in SQL. */
export const HAS_ALERTS = "EXISTS (SELECT FROM alerts WHERE organization_id = e.organization_id AND live)";
