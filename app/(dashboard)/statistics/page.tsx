import type { Metadata } from "next";
import { type SearchParams, single } from "@/components/layout/search-params";
import { Section } from "@/components/states/section";
import { StatisticsFigures } from "@/components/statistics/figures";
import { readRange } from "@/components/statistics/range";
import { RangeLinks } from "@/components/statistics/range-links";
import { StatisticsSkeleton } from "@/components/statistics/skeleton";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";

export const metadata: Metadata = { title: "Statistics" };

export default async function StatisticsPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const range = readRange(await single(searchParams), Date.now(), "7d");
  return (
    <>
      <PageHeader title="Statistics" actions={<RangeLinks path="/statistics" chosen={range.preset} />}>
        Every figure links to the entries that it counts.
      </PageHeader>
      <Section key={range.preset ?? range.since} what="The figures" fallback={<StatisticsSkeleton />}>
        <StatisticsFigures principal={principal} range={range} />
      </Section>
    </>
  );
}
