import type { Metadata } from "next";
import { AnalyticsFrame } from "@/components/analytics/analytics-frame";
import { InUseTable } from "@/components/analytics/in-use-table";
import { Nothing, Part } from "@/components/analytics/part";
import { ShareTable } from "@/components/analytics/share-table";
import { plural } from "@/components/time/time-format";
import { getAnalyticsLifetimes } from "@/lib/analytics/lifetimes";
import { requirePrincipal } from "@/lib/auth/session";

export const metadata: Metadata = { title: "Lifetimes" };

/** The step of all that is longer than the schedule's longest. */
const LONGER = 100_000;

export default async function LifetimesPage() {
  const principal = await requirePrincipal();
  const { lifetimes, rules } = await getAnalyticsLifetimes(principal);
  const longest = lifetimes.at(-2)?.days ?? 0;
  const rows = lifetimes.map(({ days, certificates, endpoints }, at) => ({
    key: String(days),
    name: days === LONGER ? `more than ${longest} days` : `${(lifetimes[at - 1]?.days ?? 0) + 1} to ${days} days`,
    certificates,
    endpoints,
  }));
  return (
    <AnalyticsFrame here="/analytics/lifetimes">
      <Part
        title="How long certificates in use live"
        says="The steps are the most that public authorities may issue, by the schedule of the CA/Browser Forum. Private authorities may go on as they like."
      >
        <ShareTable label="Certificates in use by lifetime" of="Lifetime" rows={rows} />
      </Part>
      {rules.map(({ effective_from, max_days, certificates, endpoints, longest: broken }) => (
        <Part
          key={effective_from}
          flush
          title={`From ${effective_from}: at most ${max_days} days`}
          says={
            certificates > 0 &&
            `${plural(certificates, "certificate")} on ${plural(endpoints, "endpoint")} could not be issued like this ${Date.parse(effective_from) <= Date.now() ? "any more" : "from then on"}. Those in use stay valid; their renewals must come more often.`
          }
        >
          {certificates === 0 ? (
            <Nothing>No certificate in use would break this rule.</Nothing>
          ) : (
            <InUseTable
              label={`Certificates that live longer than ${max_days} days`}
              certificates={broken}
              now={Date.now()}
            />
          )}
          {certificates > broken.length && (
            <p className="px-4 pt-2 text-second sm:px-5">and {certificates - broken.length} more</p>
          )}
        </Part>
      ))}
    </AnalyticsFrame>
  );
}
