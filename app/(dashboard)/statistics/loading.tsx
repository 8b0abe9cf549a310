import { RangeLinks } from "@/components/statistics/range-links";
import { StatisticsSkeleton } from "@/components/statistics/skeleton";
import { PageHeader } from "@/components/ui/page-header";

export default function Loading() {
  return (
    <>
      <PageHeader title="Statistics" actions={<RangeLinks path="/statistics" chosen={null} />}>
        Every figure links to the entries that it counts.
      </PageHeader>
      <StatisticsSkeleton />
    </>
  );
}
