import { type Finding, found } from "@/lib/certificates/findings";
import { expiryWarning, lifetimeLeftShare, type Validity } from "@/lib/certificates/lifetime";

/** Minimum number of earlier renewals to determine the usual time, and maximum number to keep. */
const MIN_LEADS = 3;
export const MAX_LEADS = 10;
/** A renewal is late if it comes this much of the lifetime after the usual time, or twice the usual deviation if that is more. */
const MIN_MARGIN = 0.05;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1] ?? 0, sorted[sorted.length >> 1] ?? 0];
  return (low + high) / 2;
}

/**
 * A renewal that comes later than usual. `leads`: the share of life that the previous certificates had left when they were replaced.
 * Shares, because lifetimes get shorter. Null once it has expired: then `expired` suffices.
 */
export function judgeLateness(leaf: Validity, leads: readonly number[], now: Date): Finding | null {
  if (leads.length < MIN_LEADS || leaf.notAfter <= now) return null;
  const usual = median(leads);
  const deviation = median(leads.map((lead) => Math.abs(lead - usual)));
  if (lifetimeLeftShare(leaf, now) >= usual - Math.max(MIN_MARGIN, 2 * deviation)) return null;
  const lifetime = leaf.notAfter.getTime() - leaf.notBefore.getTime();
  return found("renewal_later_than_usual", expiryWarning(leaf, now)?.severity ?? "info", {
    not_after: leaf.notAfter.toISOString(),
    usually_renewed_at: new Date(leaf.notAfter.getTime() - lifetime * usual).toISOString(),
    usual_left_share: Math.round(usual * 1000) / 1000,
    renewals: leads.length,
  });
}
