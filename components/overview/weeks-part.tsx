import { Figures } from "@/components/analytics/figures";
import { percentWords } from "@/components/uptime/words";
import { compareWeeks } from "@/lib/analytics/weeks";
import type { Principal } from "@/lib/http/principal";
import { formatCount } from "@/lib/text/counts";

/** The last 7 days beside the 7 days before. */
export async function WeeksPart({ principal }: { principal: Principal }) {
  const { last, before } = await compareWeeks(principal);
  const was = (count: number) => `previously ${formatCount(count)}`;
  return (
    <div className="border-t pt-3">
      <Figures
        figures={[
          { name: "Requests", value: last.requests, more: was(before.requests), href: "/statistics?range=7d" },
          {
            name: "Refused or failed",
            value: last.errors,
            more: was(before.errors),
            href: "/audit-logs?range=7d&status=4xx,5xx",
          },
          {
            name: "Security events",
            value: last.securityEvents,
            more: was(before.securityEvents),
            href: "/security-events?range=7d",
          },
          {
            name: "Uptime",
            value: percentWords(last.uptimePercent),
            more: `previously ${percentWords(before.uptimePercent)}`,
            href: "/analytics/uptime?range=7d",
          },
          { name: "Alerts opened", value: last.alerts, more: was(before.alerts), href: "/alerts" },
        ]}
      />
    </div>
  );
}
