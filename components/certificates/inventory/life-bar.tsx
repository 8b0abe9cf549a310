import { plural } from "@/components/time/time-format";
import { cx } from "@/components/ui/cx";
import type { CertificateSummary } from "@/lib/certificates/contract";
import { expiryWarning } from "@/lib/certificates/lifetime";

type Validity = Pick<CertificateSummary, "not_before" | "not_after" | "days_left" | "lifetime_left_share">;

const colours = { none: "bg-third/50", info: "bg-seal", warning: "bg-warn", critical: "bg-bad" };
const words = { none: "text-ink", info: "text-ink", warning: "text-warn", critical: "text-bad" };

/** The remaining lifetime of a certificate: days, and the share as a thin bar. Colored once it should be renewed. */
export function LifeBar({ validity, now }: { validity: Validity; now: number }) {
  const { not_before, not_after, days_left, lifetime_left_share } = validity;
  const left = Date.parse(not_after) - now;
  const dates = { notBefore: new Date(not_before), notAfter: new Date(not_after) };
  const severity = left <= 0 ? "critical" : (expiryWarning(dates, new Date(now))?.severity ?? "none");
  const share = Math.round(lifetime_left_share * 100);
  return (
    <span
      className="inline-flex w-full items-center align-top justify-end gap-2.5"
      title={`${share}% of its lifetime is left`}
    >
      <span className="h-[3px] w-16 shrink overflow-hidden rounded-full bg-line max-sm:hidden" aria-hidden="true">
        <span className={cx("block h-full rounded-full", colours[severity])} style={{ width: `${share}%` }} />
      </span>
      <span className={cx("min-w-16 tabular-nums", words[severity])}>
        {left <= 0 ? "expired" : days_left < 1 ? "< 1 day" : plural(days_left, "day")}
      </span>
    </span>
  );
}
