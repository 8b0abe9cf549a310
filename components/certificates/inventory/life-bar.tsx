import { cx } from "@/components/ui/cx";
import type { CertificateSummary } from "@/lib/certificates/contract";
import { expiryWarning, lifetimeLeftShare } from "@/lib/certificates/lifetime";
import { plural } from "@/lib/text/counts";

type Validity = Pick<CertificateSummary, "not_before" | "not_after" | "days_left" | "lifetime_left_share">;

const colours = { none: "bg-third/50", info: "bg-seal", warning: "bg-warn", critical: "bg-bad" };
const words = { none: "text-ink", info: "text-ink", warning: "text-warn", critical: "text-bad" };

/**
 * The remaining lifetime of a certificate: days, and the share as a thin bar. Colored once it should be renewed. With the window in
 * which its authority suggests renewing it, the bar is wider and has a mark where the remaining share will be then.
 */
export function LifeBar({
  validity,
  now,
  renewal,
}: {
  validity: Validity;
  now: number;
  renewal?: { start: string; end: string } | null | undefined;
}) {
  const { not_before, not_after, days_left, lifetime_left_share } = validity;
  const left = Date.parse(not_after) - now;
  const dates = { notBefore: new Date(not_before), notAfter: new Date(not_after) };
  const severity = left <= 0 ? "critical" : (expiryWarning(dates, new Date(now))?.severity ?? "none");
  const share = Math.round(lifetime_left_share * 100);
  const mark = renewal && { from: shareAt(dates, renewal.end), to: shareAt(dates, renewal.start) };
  return (
    <span
      className="inline-flex w-full items-center align-top justify-end gap-2.5"
      title={`${share}% of its lifetime is left`}
    >
      <span className={cx("relative h-[3px] shrink max-sm:hidden", mark ? "w-40" : "w-16")} aria-hidden="true">
        <span className="block h-full overflow-hidden rounded-full bg-line">
          <span className={cx("block h-full rounded-full", colours[severity])} style={{ width: `${share}%` }} />
        </span>
        {mark && (
          <span
            className="absolute -inset-y-[3px] min-w-[3px] rounded-xs bg-ink ring-1 ring-canvas"
            style={{ left: `${mark.from}%`, width: `${mark.to - mark.from}%` }}
          />
        )}
      </span>
      <span className={cx("min-w-18 tabular-nums", words[severity])}>
        {left <= 0 ? "expired" : days_left < 1 ? "< 1 day" : plural(days_left, "day")}
      </span>
    </span>
  );
}

/** The percentage of a lifetime that is left at a time, at most so much that the mark stays on the bar. */
function shareAt(validity: { notBefore: Date; notAfter: Date }, time: string): number {
  return Math.min(98, Math.round(lifetimeLeftShare(validity, new Date(time)) * 1000) / 10);
}
