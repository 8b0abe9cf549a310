import type { Metadata } from "next";
import { AnalyticsFrame } from "@/components/analytics/analytics-frame";
import { ExpiryCalendar, expiringHref } from "@/components/analytics/expiry-calendar";
import { InUseTable } from "@/components/analytics/in-use-table";
import { Part } from "@/components/analytics/part";
import { Bars } from "@/components/charts/bars";
import { EmptySection } from "@/components/states/empty-section";
import { dayName } from "@/components/time/time-format";
import { getAnalyticsExpiry } from "@/lib/analytics/expiry";
import { requirePrincipal } from "@/lib/auth/session";
import { plural } from "@/lib/text/counts";

export const metadata: Metadata = { title: "Expiries" };

const HISTOGRAM_DAYS = 400;
const CALENDAR_DAYS = 182;

export default async function ExpiryPage() {
  const principal = await requirePrincipal();
  const [weeks, days] = await Promise.all([
    getAnalyticsExpiry(principal, { interval: "week", days: HISTOGRAM_DAYS }),
    getAnalyticsExpiry(principal, { interval: "day", days: CALENDAR_DAYS }),
  ]);
  const { series, expired, later, next } = weeks;
  const around = [
    expired.certificates > 0 && `${plural(expired.certificates, "certificate")} already expired`,
    later.certificates > 0 && `${plural(later.certificates, "certificate")} with a later expiry`,
  ].filter((part) => part !== false);
  return (
    <AnalyticsFrame here="/analytics/expiry">
      <Part
        title="By week"
        says={`Certificates in use by week of expiry. Weeks start on Monday (UTC).${around.length > 0 ? ` Not shown: ${around.join(", ")}.` : ""}`}
      >
        <Bars
          label="Certificates in use by week of expiry"
          of="certificate"
          by="Week of"
          bars={series.map(({ start, certificates, endpoints }, at) => ({
            name: dayName(start),
            value: certificates,
            more: plural(endpoints, "endpoint"),
            href: expiringHref(weeks.since, start, series[at + 1]?.start ?? weeks.until),
          }))}
        />
      </Part>
      <Part title="By day" says="Days are in UTC. Select a day to see the certificates that expire on it.">
        <ExpiryCalendar since={days.since} days={days.series} />
      </Part>
      <Part title="Next to expire" flush>
        {next.length === 0 ? (
          <EmptySection>No certificate in use is about to expire.</EmptySection>
        ) : (
          <InUseTable label="Next to expire" certificates={next} now={Date.now()} />
        )}
      </Part>
    </AnalyticsFrame>
  );
}
