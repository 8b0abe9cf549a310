import type { Fact, Level } from "@/lib/alerts/alert-state";
import type { Step } from "@/lib/alerts/rules/conditions";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

/** When a step about the time left is reached, in Unix milliseconds. */
export function reachedAt(
  step: Pick<Step, "days_left" | "share_left">,
  validity: NonNullable<Fact["validity"]>,
): number {
  return validity.notAfter - thresholdOf(step, validity);
}

/** The remaining time, in milliseconds, below which a step is reached: the lesser of days and share of the lifetime. */
function thresholdOf(
  { days_left, share_left }: Pick<Step, "days_left" | "share_left">,
  { notBefore, notAfter }: { notBefore: number; notAfter: number },
): number {
  const days = days_left === null ? Number.POSITIVE_INFINITY : days_left * DAY_MS;
  const share = share_left === null ? Number.POSITIVE_INFINITY : share_left * Math.max(0, notAfter - notBefore);
  return Math.min(days, share);
}

/**
 * The step that a fact has reached by `now` or by its end; null before the first step. `began` is when its alert opened last, null if it is
 * not open: an open alert is past the wait of the first step, also if its cause ended and has only just returned.
 */
export function levelOf(
  steps: readonly Step[],
  { validity, since, until, severity }: Pick<Fact, "validity" | "since" | "until" | "severity">,
  began: number | null,
  now: number,
): Level | null {
  const start = since ?? began ?? now;
  const isReached = (step: Step, index: number) =>
    step.days_left === null && step.share_left === null
      ? (index === 0 && began !== null) || (until ?? now) - start >= step.after_minutes * MINUTE_MS
      : validity !== null && validity.notAfter - now < thresholdOf(step, validity);
  const reached = steps.findLastIndex(isReached);
  const step = steps[reached];
  return step === undefined ? null : { step: reached, severity: step.severity ?? severity };
}
