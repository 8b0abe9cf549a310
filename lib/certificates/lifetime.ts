import type { Severity } from "@/lib/certificates/findings";
import { DAY_MS } from "@/lib/time/units";

/** Thresholds relative to the lifetime, so that 90-day, 45-day and 6-day certificates all warn in time. */
const THRESHOLDS: readonly { severity: Severity; share: number; days: number }[] = [
  { severity: "critical", share: 0.1, days: 7 },
  { severity: "warning", share: 0.2, days: 14 },
  { severity: "info", share: 0.33, days: 30 },
];

export interface Validity {
  notBefore: Date;
  notAfter: Date;
}

/** Remaining days, with fractions; negative once expired. */
export function daysLeft({ notAfter }: Validity, now: Date): number {
  return (notAfter.getTime() - now.getTime()) / DAY_MS;
}

/** The remaining share of the lifetime, from 0 to 1. */
export function lifetimeLeftShare({ notBefore, notAfter }: Validity, now: Date): number {
  const lifetime = notAfter.getTime() - notBefore.getTime();
  if (lifetime <= 0) return 0;
  return Math.min(1, Math.max(0, (notAfter.getTime() - now.getTime()) / lifetime));
}

/** The threshold that the remaining time has fallen below, `days` being that threshold; null if it is above all. */
export function expiryWarning(validity: Validity, now: Date): { severity: Severity; days: number } | null {
  const lifetime = (validity.notAfter.getTime() - validity.notBefore.getTime()) / DAY_MS;
  const left = daysLeft(validity, now);
  for (const { severity, share, days } of THRESHOLDS) {
    const threshold = Math.min(share * lifetime, days);
    if (left < threshold) return { severity, days: threshold };
  }
  return null;
}
