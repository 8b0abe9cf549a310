import { cx } from "@/components/ui/cx";
import type { Billing } from "@/lib/billing/contract";
import { formatCount } from "@/lib/text/counts";

export const nouns: Record<keyof Billing["usage"], string> = {
  certificate_endpoints: "Certificate endpoints",
  monitors: "Uptime monitors",
  domains: "Domains",
  members: "Members",
  api_keys: "API keys",
  destinations: "Destinations",
  alert_rules: "Alert rules",
  notification_channels: "Notification channels",
};

/** The share of a limit from which usage is highlighted. */
const TIGHT = 0.8;

/** The usage of each limit of the plan. */
export function UsageBars({ usage }: { usage: Billing["usage"] }) {
  return (
    <ul className="grid gap-3">
      {Object.entries(nouns).map(([noun, label]) => {
        const { used, limit } = usage[noun as keyof Billing["usage"]];
        const share = Math.min(used / limit, 1);
        return (
          <li key={noun} className="grid gap-1">
            <div className="flex items-baseline justify-between gap-3">
              <span>{label}</span>
              <span className={cx("tabular-nums", share >= TIGHT ? "text-warn" : "text-second")}>
                {formatCount(used)} of {formatCount(limit)}
                {used >= limit && (used > limit ? ": over the limit" : ": limit reached")}
              </span>
            </div>
            <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-line">
              <div
                className={cx("h-full rounded-full", share >= TIGHT ? "bg-warn" : "bg-seal")}
                style={{ width: `${Math.max(share * 100, used > 0 ? 1 : 0)}%` }}
              />
            </div>
          </li>
        );
      })}
    </ul>
  );
}
