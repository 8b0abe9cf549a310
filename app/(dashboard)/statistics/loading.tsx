import { RangeLinks } from "@/components/statistics/range-links";
import { StatisticsSkeleton } from "@/components/statistics/skeleton";
import { PageHeader } from "@/components/ui/page-header";

export default function Loading() {
  return (
    <>
      <PageHeader title="Statistics" actions={<RangeLinks path="/statistics" chosen={null} />}>
        Every figure leads to the entries it counted.
      </PageHeader>
      <StatisticsSkeleton />
    </>
  );
}
