import Link from "next/link";
import { statusTone } from "@/components/certificates/finding-titles";
import { statusWords } from "@/components/certificates/status-words";
import { toneText } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import { plural } from "@/components/ui/time-format";
import type { EndpointsSummary } from "@/lib/certificates/summarize-endpoints";
import { byUrgency } from "@/lib/certificates/urgency";

/** How many endpoints are in which state; each narrows the list to itself, and once more takes that off. */
export function StatusFigures({ summary, chosen }: { summary: EndpointsSummary; chosen: string | undefined }) {
  const { total, byStatus } = summary;
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-0.5 px-4 pb-2.5 text-second sm:px-5">
      <Link href="/certificates" className="hover:underline">
        <strong className="font-semibold text-ink tabular-nums">{total.toLocaleString("en-GB")}</strong>{" "}
        {plural(total, "endpoint").replace(/^\S+ /, "")}
      </Link>
      {byUrgency
        .filter((status) => byStatus.has(status))
        .map((status) => (
          <Link
            key={status}
            href={chosen === status ? "/certificates" : `/certificates?status=${status}`}
            aria-current={chosen === status ? "true" : undefined}
            className="rounded-sm hover:underline aria-current:underline"
          >
            <strong
              className={cx("font-semibold tabular-nums", status === "ok" ? "text-ink" : toneText[statusTone[status]])}
            >
              {byStatus.get(status)?.toLocaleString("en-GB")}
            </strong>{" "}
            {statusWords[status]}
          </Link>
        ))}
    </p>
  );
}
