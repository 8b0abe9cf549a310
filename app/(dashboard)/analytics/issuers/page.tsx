import type { Metadata } from "next";
import { AnalyticsFrame } from "@/components/analytics/analytics-frame";
import { Part } from "@/components/analytics/part";
import { ShareTable } from "@/components/analytics/share-table";
import { shortName } from "@/components/certificates/inventory/names";
import { EmptySection } from "@/components/states/empty-section";
import { Time } from "@/components/time/time";
import { getAnalyticsIssuers } from "@/lib/analytics/issuers";
import { requirePrincipal } from "@/lib/auth/session";

export const metadata: Metadata = { title: "Issuers" };

export default async function IssuersPage() {
  const principal = await requirePrincipal();
  const { issuers } = await getAnalyticsIssuers(principal);
  return (
    <AnalyticsFrame here="/analytics/issuers">
      <Part title="Issuers" says="The issuers of the certificates in use. Review any issuer that you do not know.">
        {issuers.length === 0 ? (
          <EmptySection>No certificates in use.</EmptySection>
        ) : (
          <ShareTable
            label="Certificates in use by issuer"
            of="Issuer"
            more="Next to expire"
            rows={issuers.map(({ issuer, soonest_not_after, ...counts }) => ({
              ...counts,
              key: issuer,
              name: shortName(issuer),
              href: `/certificates/inventory?${new URLSearchParams({ issuer: issuer.slice(0, 300), unused: "false" })}`,
              more: <Time value={soonest_not_after} style="day" />,
            }))}
          />
        )}
      </Part>
    </AnalyticsFrame>
  );
}
