import Link from "next/link";
import { byUrgency, statusTone } from "@/components/alerts/alert-states";
import { hrefWith, orderOf } from "@/components/layout/href-with";
import { toneText } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import type { OpenStatus } from "@/lib/alerts/count-open";
import { MAX_COUNTED } from "@/lib/alerts/count-resolved";
import { alertStatusLabels } from "@/lib/alerts/labels";
import { formatCount } from "@/lib/text/counts";
import { inSentence } from "@/lib/text/labels";

/** The number of all alerts by state; each link opens exactly those, in the order of the list, or removes the filter. */
export function AlertFigures({
  counts,
  resolved,
  params,
}: {
  counts: readonly { status: OpenStatus; count: number }[];
  /** The number of resolved alerts, at most MAX_COUNTED + 1. */
  resolved: number;
  params: Record<string, string>;
}) {
  const count = (status: OpenStatus) =>
    counts.filter((each) => each.status === status).reduce((sum, each) => sum + each.count, 0);
  const link = (status: string) => ({
    href: hrefWith("/alerts", orderOf(params), { status: params.status === status ? null : status }),
    "aria-current": params.status === status ? ("true" as const) : undefined,
    className: "rounded-sm hover:underline aria-current:underline",
  });
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-0.5 px-4 pb-2.5 text-second sm:px-5">
      {byUrgency
        .filter((status) => status === "open" || count(status) > 0)
        .map((status) => (
          <Link key={status} {...link(status)}>
            <strong
              className={cx(
                "font-semibold tabular-nums",
                count(status) > 0 ? toneText[statusTone[status]] : "text-ink",
              )}
            >
              {formatCount(count(status))}
            </strong>{" "}
            {inSentence(alertStatusLabels[status])}
          </Link>
        ))}
      <Link {...link("resolved")}>
        <strong className="font-semibold text-ink tabular-nums">
          {formatCount(Math.min(resolved, MAX_COUNTED))}
          {resolved > MAX_COUNTED && "+"}
        </strong>{" "}
        {inSentence(alertStatusLabels.resolved)}
      </Link>
    </p>
  );
}
