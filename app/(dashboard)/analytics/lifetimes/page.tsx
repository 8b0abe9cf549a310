import type { Metadata } from "next";
import { AnalyticsFrame } from "@/components/analytics/analytics-frame";
import { InUseTable } from "@/components/analytics/in-use-table";
import { Part } from "@/components/analytics/part";
import { ShareTable } from "@/components/analytics/share-table";
import { EmptySection } from "@/components/states/empty-section";
import { dayName } from "@/components/time/time-format";
import { getAnalyticsLifetimes } from "@/lib/analytics/lifetimes";
import { requirePrincipal } from "@/lib/auth/session";
import { plural } from "@/lib/text/counts";

export const metadata: Metadata = { title: "Lifetimes" };

/** The step for lifetimes longer than any in the schedule. */
const LONGER = 100_000;

export default async function LifetimesPage() {
  const principal = await requirePrincipal();
  const { lifetimes, rules } = await getAnalyticsLifetimes(principal);
  const now = Date.now();
  const longest = lifetimes.at(-2)?.days ?? 0;
  const rows = lifetimes.map(({ days, certificates, endpoints }, at) => ({
    key: String(days),
    name: days === LONGER ? `More than ${longest} days` : `${(lifetimes[at - 1]?.days ?? 0) + 1} to ${days} days`,
    certificates,
    endpoints,
  }));
  return (
    <AnalyticsFrame here="/analytics/lifetimes">
      <Part
        title="Lifetimes of certificates in use"
        says="The ranges follow the maximum lifetimes in the CA/Browser Forum schedule for public authorities. Private authorities are not bound by it."
      >
        <ShareTable label="Certificates in use by lifetime" of="Lifetime" rows={rows} />
      </Part>
      {rules.map(({ effective_from, max_days, certificates, endpoints, longest: broken }) => (
        <Part
          key={effective_from}
          flush
          title={`${Date.parse(effective_from) <= now ? "Since" : "From"} ${dayName(effective_from)}: at most ${max_days} days`}
          says={
            certificates > 0 &&
            `${plural(certificates, "certificate")} on ${plural(endpoints, "endpoint")} ${certificates === 1 ? "exceeds" : "exceed"} this limit. Certificates in use stay valid; those of public authorities must be renewed more often.`
          }
        >
          {certificates === 0 ? (
            <EmptySection>No certificate in use exceeds this limit.</EmptySection>
          ) : (
            <InUseTable label={`Certificates valid for more than ${max_days} days`} certificates={broken} now={now} />
          )}
          {certificates > broken.length && (
            <p className="px-4 pt-2 text-second sm:px-5">and {certificates - broken.length} more</p>
          )}
        </Part>
      ))}
    </AnalyticsFrame>
  );
}
