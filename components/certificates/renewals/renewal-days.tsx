import Link from "next/link";
import { offeredDays, RENEWALS, USUAL_DAYS } from "@/components/certificates/renewals/renewal-view";
import { hrefWith } from "@/components/layout/href-with";
import { plural } from "@/lib/text/counts";

/** What the page shows, and links to other numbers of days. */
export function RenewalDays({ days, params }: { days: number; params: Record<string, string> }) {
  return (
    <p className="flex flex-wrap gap-x-4 px-4 pb-2.5 text-second sm:px-5">
      <span>
        What must be renewed within <strong className="font-semibold text-ink">{plural(days, "day")}</strong>, first due
        first
      </span>
      {offeredDays
        .filter((each) => each !== days)
        .map((each) => (
          <Link
            key={each}
            prefetch={false}
            href={hrefWith(RENEWALS, params, { days: each === USUAL_DAYS ? null : String(each) })}
            className="rounded-sm text-seal underline underline-offset-2"
          >
            {plural(each, "day")}
          </Link>
        ))}
    </p>
  );
}
